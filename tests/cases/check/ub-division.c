// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run divides by zero at ub-division.c:14:5 (--checks div-by-zero checks it)
// expect: last TRUE
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* What C says of a run ends where it divides by zero, so the assertion holds for all that there is. */
int main(void)
{
    int limit = 0;
    int divisor = __VERIFIER_nondet_int();
    assert(limit == 0);
    limit = 1000 / divisor;
    assert(divisor != 0);
    return limit;
}
