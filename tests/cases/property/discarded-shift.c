// args: run --checks shift
// expect: exit 1
// verdict: FALSE(shift)
// expect: stdout violated: shift

int main(void)
{
    int x = 40;
    1 << x;
    return 0;
}
