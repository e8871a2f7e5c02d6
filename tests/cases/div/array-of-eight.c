// args: check --engine div
// expect: last TRUE
// A unit with an array that samples take for one variable.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int table[8];

static int entry(int i) { return table[i & 7]; }

int main(void)
{
    table[3] = __VERIFIER_nondet_int() & 1;
    if (entry(__VERIFIER_nondet_int()) > 1)
        reach_error();
    return 0;
}
