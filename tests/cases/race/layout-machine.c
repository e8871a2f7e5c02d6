// Some layout breaks the check, and with the right value of x the machine's own does: the solver is asked again with the
// addresses that the machine has.
// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static int a;

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    uintptr_t where = (uintptr_t)&a;
    assert((unsigned char)(where >> 4) != x);
    return 0;
}
