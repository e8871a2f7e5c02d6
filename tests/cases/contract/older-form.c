// args: validate --witness older-form.yml
// expect: last confirmed: the contracts of `limit`, `step` hold, and with that: the invariant holds and no check is violated
// Contracts among the invariants, as before format 2.1 was fixed, with \old; beside them the invariant of a loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int level;

static int limit(int value)
{
    return value > 50 ? 50 : value;
}

void step(int by)
{
    level = limit(level + (by & 7));
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        step(__VERIFIER_nondet_int());
        if (level > 50)
            reach_error();
    }
    return 0;
}
