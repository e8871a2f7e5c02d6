// args: check --engine div --contracts {tmp}/c.h
// expect: last TRUE
// What a proof rests on, above prototypes.
// expect: file c.h static void raise_level(int by);
// expect: file c.h   @ assigns level;
// expect: file c.h   @ ensures
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
