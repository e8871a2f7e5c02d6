// args: validate --witness side-effect.yml
// expect: exit 1
// expect: last rejected: an invariant is not a valid expression at its location: an invariant has a side effect
// A claim must not change the program.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int())
        x = x == 4 ? 0 : x + 1;
    if (x > 4)
        reach_error();
    return 0;
}
