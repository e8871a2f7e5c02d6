// args: check --engine bam
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour
// A loop in a function that no run calls is no run that survives.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int q;

static unsigned zero(unsigned a, unsigned b) { return (a ^ b) - ((a | b) - (a & b)); }

static int work(int n)
{
    for (int i = 0; i < n; i++)
        q = (q + 1) & 7;
    return q;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    q = 100 / zero(a, b);
    work(a);
    work(4);
    reach_error();
    return 0;
}
