// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
/* Where it is not open: numbers, equal zeros, NaN as the missing argument. */
#include <math.h>
extern void reach_error(void);
float __VERIFIER_nondet_float(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    float least = fminf(a, b), most = fmaxf(a, b);
    if (isnan(a) && !isnan(b) && (least != b || most != b))
        reach_error();
    if (!isnan(a) && !isnan(b) && (least > a || least > b || most < a || most < b || (least != a && least != b)))
        reach_error();
    if (a == 0 && b == 0 && signbit(a) && signbit(b) && !signbit(least))
        reach_error();
    return 0;
}
