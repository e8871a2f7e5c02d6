// args: check --engine bmc --arch 32
// expect: exit 2
// expect: reason where compilers may do without a division that traps
// expect: last UNKNOWN
#include <assert.h>
long long __VERIFIER_nondet_longlong(void);

/* Numbers of 64 bits are divided by a function there, which gives the smallest one for a quotient that overflows. */
int main(void)
{
    long long dividend = __VERIFIER_nondet_longlong(), divisor = __VERIFIER_nondet_longlong();
    if (divisor == 0)
        return 0;
    long long quotient = dividend / divisor;
    assert(!(divisor == -1 && dividend == -9223372036854775807LL - 1));
    return quotient != 0;
}
