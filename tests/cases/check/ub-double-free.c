// args: check --engine bmc
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-double-free.c:15
// expect: no-stdout assumed: no run
// expect: last UNKNOWN
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
