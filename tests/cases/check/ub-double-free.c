// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run frees what is not the start of a live heap object at ub-double-free.c:14
// expect: last TRUE
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int *block = malloc(sizeof *block), early = __VERIFIER_nondet_int();
    if (early)
        free(block);
    free(block);
    assert(!early);
    return 0;
}
