// args: check --engine la --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// One loop in two contexts, and inside of another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static unsigned total;

static void add(unsigned step)
{
    while (__VERIFIER_nondet_int())
        total += step;
}

int main(void)
{
    add(2);
    while (__VERIFIER_nondet_int()) {
        total += 6;
        add(4);
    }
    if (total % 2)
        reach_error();
    return 0;
}
