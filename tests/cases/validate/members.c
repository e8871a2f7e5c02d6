// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// Parts of a structure that lives in registers have names, and so has a static variable in its function.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct tank { int level; unsigned char valve; };

static void step(struct tank *t)
{
    t->valve = __VERIFIER_nondet_int() != 0;
    if (t->valve && t->level < 100)
        t->level++;
    else if (!t->valve && t->level > 0)
        t->level--;
}

int main(void)
{
    struct tank t = { 50, 0 };
    static int turns;
    for (;;) {
        step(&t);
        if (turns < 7)
            turns++;
        if (t.level < 0 || t.level > 100 || turns > 7)
            reach_error();
    }
}
