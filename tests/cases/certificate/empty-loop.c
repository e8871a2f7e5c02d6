// args: check --engine kind --certificate {tmp}/c.json --witness {tmp}/w.yml
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// A loop whose head is all there is of it.
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
