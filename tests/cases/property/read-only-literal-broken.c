// args: run --checks pointer
// expect: exit 1
// expect: stdout violated: pointer
volatile int zero;
int main(void)
{
    char *p = "abc";
    p[zero] = 'x';
    return 0;
}
