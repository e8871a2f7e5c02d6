// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run divides the smallest number by -1 at ub-quotient.c:11:5 (--checks overflow checks it)
// expect: no-stdout by zero
// expect: last TRUE
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);

static int inverse(int a) {
    return a / -1;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    inverse(a);
    assert(a != INT_MIN);
    return 0;
}
