// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
static int *f(void) { int local = 0; int *p = &local; return p; }
static int *g(void) { static int kept = 0; return &kept; }
int main(void)
{
    int *p = f();
    return *p;
    return 0;
}
