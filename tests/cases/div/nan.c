// A contract cannot tell one NaN from another: which one the caller's operation gives is open.
//
// args: check --engine div --validated
// expect: exit 0
// expect: stdout keeps its contract
// expect: last TRUE
#include <math.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static long long bits_of(double number)
{
    union { double number; long long bits; } both = { number };
    return number != number ? 1 : both.bits & 0x7fffffffffffffffLL;
}

int main(void)
{
    unsigned count = __VERIFIER_nondet_uchar() & 3;
    float sum = 1;
    for (unsigned i = 0; i < count; i++)
        sum += 0.1f - (float)NAN;
    double rest = ((double)sum - (double)sum) - (double)3.4028235e38;
    long long seen = bits_of(round(rest));
    if (!(seen == 1 || seen == 5183643170655547384LL))
        reach_error();
    return 0;
}
