// args: check --engine div --certificate {tmp}/c.json --validated
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed: the contract of `raise_level` holds
// The same as data, which says what has no name in C as well.
// expect: file c.json "method": "modular"
// expect: stdout validated: the contract of `raise_level` holds
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int level;

static void raise_level(int by)
{
    for (int i = 0; i < 4; i++)
        if (by & (1 << i))
            level++;
    if (level > 20)
        level = 20;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        raise_level(__VERIFIER_nondet_int());
        if (level > 20)
            reach_error();
    }
    return 0;
}
