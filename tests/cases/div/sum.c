// The sum of the first n numbers is at least n.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern unsigned nondet(void);

unsigned sum(unsigned n)
{
    if (n == 0)
        return 0;
    return 1 + sum(n - 1);
}

int main(void)
{
    unsigned n = nondet();
    assert(sum(n) == n);
    return 0;
}
