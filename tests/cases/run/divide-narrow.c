// expect: exit 0
// gcc: yes
// Narrow operands are promoted, so that their smallest numbers have a quotient by -1; unsigned ones always have.
#include <assert.h>
#include <limits.h>
signed char c = SCHAR_MIN, minus = -1;
short s = SHRT_MIN;
unsigned u = 1u + INT_MAX;
int main(void)
{
    assert(c / minus == 128 && c % minus == 0);
    assert(s / minus == 32768 && s % minus == 0);
    assert(u / minus == 0 && u % minus == u);
    assert((long long)INT_MIN / minus == 2147483648LL);
    return 0;
}
