// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

int main(void)
{
    long x = 1L << 62;
    x *= 2;
    return 0;
}
