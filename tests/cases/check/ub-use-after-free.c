// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run uses an object after its lifetime at ub-use-after-free.c:14
// expect: last TRUE
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int *block = malloc(sizeof *block), early = __VERIFIER_nondet_int();
    if (early)
        free(block);
    *block = 1;
    assert(!early);
    return 0;
}
