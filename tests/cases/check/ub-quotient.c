// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run divides the smallest number by -1 at ub-quotient.c:11:5 (--checks overflow checks it)
// expect: no-stdout by zero
// expect: last TRUE
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);

static int quotient(int a, int b) {
    return a / b;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b == 0)
        return 0;
    quotient(a, b);
    assert(a != INT_MIN || b != -1);
    return 0;
}
