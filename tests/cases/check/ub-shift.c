// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run shifts by a negative count or by one of at least the width at ub-shift.c:10
// expect: last TRUE
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned bit = 1u << __VERIFIER_nondet_int();
    assert(bit != 0);
    return 0;
}
