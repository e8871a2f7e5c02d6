// args: check --engine kind --certificate {tmp}/c.json --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// The same with a witness, whose invariant ends where it begins.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void halt(void)
{
    for (;;)
        ;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 5)
        halt();
    assert(x != 5);
    return 0;
}
