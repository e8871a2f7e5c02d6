// With null there is no block to move.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: no-stdout moves the block
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = realloc(0, 2);
    p[0] = 1;
    assert(__VERIFIER_nondet_int() != p[0]);
    free(p);
    return 0;
}
