// args: run --checks shift
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int n = 31;
    unsigned x = 1u << n;
    return 0;
}
