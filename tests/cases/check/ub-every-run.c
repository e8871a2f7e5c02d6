// args: check --engine kind --timeout 20
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-every-run.c:13
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* An assumption that leaves no run is no proof. */
int main(void)
{
    int none = 0;
    int value = __VERIFIER_nondet_int();
    int quotient = value / none;
    assert(quotient == 3);
    return 0;
}
