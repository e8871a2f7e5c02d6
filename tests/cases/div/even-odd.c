// Two functions that call each other.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern unsigned nondet(void);

int is_odd(unsigned n);

int is_even(unsigned n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

int is_odd(unsigned n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void)
{
    unsigned n = nondet();
    assert(is_even(n) == (n % 2 == 0));
    return 0;
}
