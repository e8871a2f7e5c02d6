// args: check --engine symex
// expect: exit 0
// expect: stdout assumed: no run dereferences a null pointer at ub-null.c:14
// expect: last TRUE
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct motor { int speed, wanted; };

int main(void)
{
    struct motor one = { 1, 2 };
    struct motor *chosen = __VERIFIER_nondet_int() ? &one : 0;
    /* A member of nothing is nothing too. */
    chosen->wanted = 7;
    assert(one.wanted == 7);
    return 0;
}
