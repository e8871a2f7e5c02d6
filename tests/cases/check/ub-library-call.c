// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run dereferences a null pointer at ub-library-call.c:14
// expect: no-stdout <library>
// expect: last TRUE
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
