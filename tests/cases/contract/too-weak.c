// args: validate --witness too-weak.yml
// expect: exit 1
// expect: last rejected: the program with the contracts: the invariants do not exclude a violation: reach_error is called at too-weak.c:17
// Callers know of a function what its contract says, even if it does more.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int square(int x)
{
    x = x & 15;
    return x * x;
}

int main(void)
{
    if (square(__VERIFIER_nondet_int()) > 225)
        reach_error();
    return 0;
}
