// args: check --engine bmc
// expect: exit 2
// expect: stdout a run may do something that is not modelled at ub-outside-behind.c:12
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* Behind a pointer that nobody has set the assertion fails: what C leaves undefined hides no violation here. */
int main(void)
{
    int *place;
    *place = 2;
    assert(__VERIFIER_nondet_int() != 3);
    return 0;
}
