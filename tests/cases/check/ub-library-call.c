// args: check --engine bmc
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-library-call.c:14
// expect: no-stdout <library>
// expect: last UNKNOWN
#include <assert.h>
#include <string.h>
int __VERIFIER_nondet_int(void);

/* The place is the call that leads into the library. */
int main(void)
{
    const char *name = __VERIFIER_nondet_int() ? "pump" : 0;
    assert(strlen(name) == 4);
    return 0;
}
