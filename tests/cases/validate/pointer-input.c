// args: check --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml (void *)
// expect: last FALSE(unreach-call)
// expect: then confirmed
// A pointer that points to nothing is a number; without it the run stays in its first loop.
#include <assert.h>
extern void *__VERIFIER_nondet_pointer(void);
extern int limit;

int main(void)
{
    void *handle = __VERIFIER_nondet_pointer();
    while (!handle)
        ;
    assert(limit && !limit);
    return 0;
}
