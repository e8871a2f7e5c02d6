// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml configuration: "k-induction 
// expect: then by k-induction with k =
// Two iterations tell more than one, where invariants that one would need are none of the usual ones.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    double a = 1, b = 2, c = 3;
    while (__VERIFIER_nondet_int()) {
        double t = a;
        a = b;
        b = c;
        c = t;
        if (a == b)
            reach_error();
    }
    return 0;
}
