// args: check --engine symex --strict
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-null-strict.c:12
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int one = 1;
    int *chosen = __VERIFIER_nondet_int() ? &one : 0;
    *chosen = 7;
    assert(one == 7);
    return 0;
}
