// args: check --engine bmc
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-behind-object.c:16
// expect: last UNKNOWN
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct device { int id, name; };

/* Private data behind an object: compiled programs go on there, so the assertion counts. */
int main(void)
{
    struct device *dev = malloc(sizeof *dev);
    int *own = (int *)(dev + 1);
    if (__VERIFIER_nondet_int()) {
        *own = 1;
        assert(__VERIFIER_nondet_int() != 5);
    }
    return 0;
}
