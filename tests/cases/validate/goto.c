// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml type: "location_invariant"
// expect: file w.yml line: 16
// expect: then confirmed
// A loop that no statement makes: what holds there is told at the statement behind the label.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 5, y = 0;
again:
    /* Behind the label. */
    y = x;
    if (x < 10)
        x++;
    if (y > 10 || y < 5)
        reach_error();
    if (__VERIFIER_nondet_int())
        goto again;
    return x;
}
