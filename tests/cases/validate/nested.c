// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// Loops in loops, and in a function that is called from two places.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int level;

static void settle(int up)
{
    while (__VERIFIER_nondet_int()) {
        if (up && level < 5)
            level++;
        if (!up && level > -5)
            level--;
    }
}

int main(void)
{
    for (;;) {
        while (__VERIFIER_nondet_int())
            settle(1);
        settle(0);
        if (level > 5 || level < -5)
            reach_error();
    }
}
