// args: run --checks overflow
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    long x = 1L << 61;
    x *= 2;
    return 0;
}
