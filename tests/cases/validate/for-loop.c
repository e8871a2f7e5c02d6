// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// A variable of the `for` itself is in the scope of its invariants.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    int last = 0;
    for (int i = 0; i < limit; i++) {
        if (i < 0)
            reach_error();
        last = i;
    }
    if (last < 0)
        reach_error();
    return 0;
}
