// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

int main(void)
{
    int x = -2147483647 - 1;
    x = -x;
    return 0;
}
