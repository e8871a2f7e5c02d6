// args: check --engine bmc
// expect: exit 2
// expect: reason divides by zero, where compilers may do without the division
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);
__attribute__((pure)) static int twice(int value) { return 2 * value; }

/* Nobody uses the result of a function that changes nothing, so that gcc makes neither the call nor the division. */
int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    twice(10 / divisor);
    assert(divisor != 0);
    return 0;
}
