// args: check --engine symex
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-null.c:14
// expect: last UNKNOWN
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
