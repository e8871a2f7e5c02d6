// args: run --checks shift
// expect: exit 1
// expect: stdout violated: shift

int main(void)
{
    int n = 32;
    unsigned x = 1u << n;
    return 0;
}
