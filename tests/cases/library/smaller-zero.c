// args: check --engine bmc
// expect: exit 2
// expect: stdout a violation was found only with a value of a function such as memcmp or fmin
// expect: last UNKNOWN
/* C leaves open which of two zeros fmin and fmax return; the host's library returns the second, others the first. */
#include <math.h>
extern void reach_error(void);
double __VERIFIER_nondet_double(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    if (a == 0 && b == 0 && !signbit(a) && signbit(b) && !signbit(fmin(a, b)))
        reach_error();
    if (a == 0 && b == 0 && signbit(a) && !signbit(b) && signbit(__builtin_fmax(a, b)))
        reach_error();
    return 0;
}
