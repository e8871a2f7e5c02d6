// args: check --engine symexia --verbose --witness {tmp}/w.yml --timeout 60
// then: validate --witness {tmp}/w.yml
// expect: stdout holds: no abstract path violates a check
// expect: stdout predicate of the loop at symexia-figure.c:20
// expect: last TRUE
// expect: then confirmed
// The program of figure 1 of Jonáš, Strejček and Griggio (2024): its paths are infinitely many.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x;
    int y = __VERIFIER_nondet_int();

    if (n <= 0)
        return 0;
    x = 5;
    while (n > 0) {
        if (x != y)
            y = x;
        else
            x = x + 1;
        n = n - 1;
    }
    if (x - y > 1)
        reach_error();
    return 0;
}
