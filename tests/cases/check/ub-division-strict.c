// args: check --engine bmc --strict
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-division-strict.c:11
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    int limit = 1000 / divisor;
    assert(divisor != 0);
    return limit;
}
