// args: run --checks pointer
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int x, *p = &x;
    *p = 1;
    return 0;
}
