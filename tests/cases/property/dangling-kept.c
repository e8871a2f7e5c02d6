// args: run --checks pointer
// expect: exit 0
// expect: last exited with status 0
static int *f(void) { int local = 0; int *p = &local; return p; }
static int *g(void) { static int kept = 0; return &kept; }
int main(void)
{
    int *p = g();
    return *p;
    return 0;
}
