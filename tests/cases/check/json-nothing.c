// args: check --json
// expect: exit 3
// expect: stdout "outcome":"error"
// expect: stdout there is nothing to check
// expect: no-stdout verdict
int main(void)
{
    return 0;
}
