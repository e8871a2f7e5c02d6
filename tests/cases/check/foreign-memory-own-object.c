// A number from outside that the program has compared with the address of an object is that address.
// args: check --engine bmc --missing nothing
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout a run may do something that is not modelled
extern void reach_error(void);
extern void *malloc(unsigned long);
extern unsigned long __VERIFIER_nondet_ulong(void);
int own;

int main(void)
{
    void *m = malloc(4);
    unsigned long u = __VERIFIER_nondet_ulong();
    if (u == (unsigned long)&own)
        *(int *)u = 1;
    if (m && own == 1)
        reach_error();
    return 0;
}
