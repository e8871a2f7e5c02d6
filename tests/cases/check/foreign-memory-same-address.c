// The address of an object that was stored in memory from outside may have been there before.
// args: check --engine bmc --missing nothing
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern int **lookup(void);
int own;

int main(void)
{
    int **d = lookup();
    int was = *d == &own;
    *d = &own;
    **d = 5;
    if (was && own == 5)
        reach_error();
    return 0;
}
