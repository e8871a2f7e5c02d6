// Every processor that gcc knows keeps a NaN's sign when it makes a double, or a long double, of a float.
// args: check --engine bmc
// expect: last TRUE
#include <assert.h>
#include <math.h>

float __VERIFIER_nondet_float(void);

int main(void)
{
    float narrow = __VERIFIER_nondet_float();
    double wide = narrow;
    long double widest = -wide;
    assert(!signbit(wide) == !signbit(narrow));
    assert(!signbit(widest) == !!signbit(narrow));
    return 0;
}
