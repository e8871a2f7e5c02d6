// Whether `realloc` moves a block is the library's choice.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout in the recorded run `realloc` moves the block
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(1), *q = realloc(p, 2);
    assert(q == p);
    return 0;
}
