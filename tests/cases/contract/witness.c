// args: check --engine div --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: stdout contract of raise_level at 
// expect: file w.yml format_version: "2.1"
// expect: file w.yml type: "function_contract"
// expect: file w.yml function: "raise_level"
// expect: file w.yml type: "loop_invariant"
// expect: then confirmed: the contract of `raise_level` holds
// Contracts of functions and the invariant of the loop that calls them, written and checked again.
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
