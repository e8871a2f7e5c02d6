// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml configuration: "k-induction 
// expect: then by induction of depth
// Two turns tell more than one: the invariant that one would need is none of the usual ones.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = 1, b = 2, c = 3;
    while (__VERIFIER_nondet_int()) {
        int t = a;
        a = b;
        b = c;
        c = t;
        if (a + b + c != 6)
            reach_error();
        if (a == b)
            reach_error();
    }
    return 0;
}
