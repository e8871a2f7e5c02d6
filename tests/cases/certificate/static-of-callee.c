// args: check --engine kind --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "induction"
// A static variable of a callee has no name at the head of the loop.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int ticks(void)
{
    static int count;
    return ++count;
}

int main(void)
{
    int own = 0;
    while (__VERIFIER_nondet_bool()) {
        own++;
        assert(ticks() == own);
    }
    return 0;
}
