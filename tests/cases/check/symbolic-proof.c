// args: check --engine bmc --timeout 20
// expect: exit 0
// expect: stdout no run exceeds the unwinding
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    __VERIFIER_assume(n >= 0 && n < 6);
    for (int i = 0; i < n; i++)
        sum += i;
    assert(2 * sum == n * (n - 1));
    return 0;
}
