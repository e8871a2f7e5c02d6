// args: check --engine symexia --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml (void *)16
// expect: last FALSE(unreach-call)
// expect: then confirmed
// A solver's pointer is any address; the witness can only say one that no object has.
#include <assert.h>
#include <stdint.h>
extern void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    void *handle = __VERIFIER_nondet_pointer();
    assert(!handle || (uintptr_t)handle % 8 != 0);
    return 0;
}
