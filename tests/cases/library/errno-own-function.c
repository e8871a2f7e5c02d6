// The program's own function of that name is not where the library keeps errno.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
static int last;

int __errno(int x)
{
    if (x == 7)
        reach_error();
    return last;
}

extern int outside(void);

int main(void)
{
    __errno(1);
    outside();
    return 0;
}
