// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml entry_type: "invariant_set"
// expect: file w.yml line: 15
// expect: file w.yml value: "x < 11"
// expect: then confirmed
// A counter that stops: the invariant is its range.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (x < 10)
            x++;
        if (x > 10)
            reach_error();
    }
    if (x < 0)
        reach_error();
    return 0;
}
