// Of other operations C does not say which NaN they give. The machine's own keeps the sign, so that no run breaks the
// check; another processor's may.
// args: check --engine bmc
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout the sign or payload of a NaN
// expect: no-stdout internal error
#include <assert.h>
#include <math.h>

double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = x * 1.5;
    assert(!signbit(y) == !signbit(x));
    return 0;
}
