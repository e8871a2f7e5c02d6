// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
volatile int zero;
int main(void)
{
    char *p = "abc";
    p[zero] = 'x';
    return 0;
}
