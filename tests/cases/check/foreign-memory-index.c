// An index from outside is no pointer: nothing is supposed of it.
// args: check --engine bmc --missing nothing
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern unsigned long length(void);
extern char *buffer(void);

int main(void)
{
    unsigned long i = length();
    char *p = buffer();
    p[i] = 3;
    if (i == 5)
        reach_error();
    return 0;
}
