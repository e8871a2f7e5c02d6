// A function that is declared const returns equal values for equal arguments.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int level(int, char) __attribute__((const));
double scale(double) __attribute__((const));
int *place(void) __attribute__((const));
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int first = level(x, 1), other = level(y, 1);
    assert(x != y || first == other);
    assert(level(x, 1) == first);
    assert(place() == place());
    volatile double zero = 0;
    double at_zero = scale(zero);
    assert(at_zero != at_zero || scale(zero) == at_zero);
    return 0;
}
