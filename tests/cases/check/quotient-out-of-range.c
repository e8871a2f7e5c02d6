// args: check --engine symexia
// expect: last TRUE
// expect: stdout assumed: no run divides the smallest number by -1 at quotient-out-of-range.c:14
// The machine traps at INT_MIN / -1: no violation may rest on what would come after.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > INT_MIN && b == -1)
        assert(a / b == -a);
    int r = b == -1 ? a % b : 0;
    assert(a != INT_MIN || b != -1 || r == 1);
    return 0;
}
