// args: check --engine kind --witness {tmp}/w.yml
// expect: last TRUE
// expect: stdout the proof rests on cannot be expressed in C
// expect: stdout a certificate (--certificate) has them
// A static variable of a callee has no name at the head of the loop, so that a witness cannot speak of it.
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
