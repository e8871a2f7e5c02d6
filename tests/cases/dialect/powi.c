// __builtin_powi multiplies as libgcc does: for negative exponents it divides once, at the end.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
int main(void)
{
    volatile double x = 1.1;
    volatile int one = 1;
    assert(__builtin_powi(2.0, 3) == 8 && __builtin_powi(2.0, -2) == 0.25);
    assert(__builtin_powi(x, 5 * one) == x * (x * x * (x * x)));
    assert(__builtin_powi(x, -3 * one) == 1 / (x * (x * x)));
    assert(__builtin_powif(3.0f, 2 * one) == 9.0f && __builtin_powil(3.0L, 0 * one) == 1.0L);
    return 0;
}
