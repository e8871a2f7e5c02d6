// args: validate --witness side-effect.yml
// expect: exit 1
// expect: last rejected: a condition is not a valid expression at its location: an invariant has a side effect
// A contract that changes the program would be about another one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int calls;

int count(void)
{
    return ++calls;
}

int main(void)
{
    calls = 0;
    if (count() != 1)
        reach_error();
    return 0;
}
