// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// One loop in two contexts with different facts.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int level;

static void drift(int step)
{
    while (__VERIFIER_nondet_bool())
        if (level < 100 && level > -100)
            level += step;
}

int main(void)
{
    level = 0;
    drift(1);
    assert(level >= 0);
    level = 0;
    drift(-1);
    assert(level <= 0);
    return 0;
}
