// args: run --checks overflow
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int x = 2147483646;
    x = x + 1;
    unsigned u = 4294967295u;
    u++;
    return 0;
}
