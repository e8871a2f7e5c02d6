// The greatest common divisor by subtraction: positive where both are.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int nondet(void);

int gcd(int a, int b)
{
    if (a <= 0 || b <= 0)
        return 0;
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void)
{
    int m = nondet(), n = nondet();
    if (m <= 0 || n <= 0)
        return 0;
    assert(gcd(m, n) >= 1);
    return 0;
}
