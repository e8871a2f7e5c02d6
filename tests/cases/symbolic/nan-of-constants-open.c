// args: check --engine bmc
// expect: exit 2
// expect: stdout the sign or payload of a NaN
// expect: last UNKNOWN
// The remainder of an infinity is a NaN whose sign processors choose: gcc's library gives a negative one.
#include <assert.h>
#include <math.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static const double levels[2] = { 1.0, 1e308 * 10 };

int main(void)
{
    double level = levels[__VERIFIER_nondet_uchar() & 1];
    double rest = remainder(level, 2.0);
    if (rest != rest)
        assert(signbit(rest));
    return 0;
}
