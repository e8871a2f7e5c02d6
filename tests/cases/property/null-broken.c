// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer

int main(void)
{
    int *p = 0;
    *p = 1;
    return 0;
}
