// args: check --engine bam --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// One loop entered twice under the same call stack: its contexts cannot be told apart by it.
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
