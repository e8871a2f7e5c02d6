// args: check --engine bmc --strict
// expect: exit 2
// expect: stdout a run may do something that is not modelled at ub-mixed.c:13
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);
int *missing(void);

/* Null by the program's own constant or a pointer from outside: the part from outside is no fault of the program. */
int main(void)
{
    int *place = __VERIFIER_nondet_int() ? 0 : missing();
    assert(*place == 3);
    return 0;
}
