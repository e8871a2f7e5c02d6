// Addition by counting, both ways.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int nondet(void);

int addition(int m, int n)
{
    if (n == 0)
        return m;
    if (n > 0)
        return addition(m + 1, n - 1);
    return addition(m - 1, n + 1);
}

int main(void)
{
    int m = nondet();
    int n = nondet();
    if (m < 0 || m > 1073741823 || n < 0 || n > 1073741823)
        return 0;
    assert(addition(m, n) == m + n);
    return 0;
}
