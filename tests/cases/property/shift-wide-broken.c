// args: run --checks shift
// expect: exit 1
// verdict: FALSE(shift)
// expect: stdout violated: shift

int main(void)
{
    int n = 32;
    unsigned x = 1u << n;
    return 0;
}
