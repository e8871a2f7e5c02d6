// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
// An open NaN in memory is one, however often its bits are looked at; and operators on the sign alone make that known.
#include <math.h>
#include <string.h>
extern void reach_error(void);

int main(void)
{
    double zero = 0, number = zero / zero;
    long long first, second;
    memcpy(&first, &number, sizeof first);
    memcpy(&second, &number, sizeof second);
    if (first != second || (first & 0x7fffffffffffffffLL) <= 0x7ff0000000000000LL)
        reach_error();
    if (number == number || !isnan(-number) || signbit(fabs(number)) || !signbit(copysign(zero / zero, -1.0)))
        reach_error();
    return 0;
}
