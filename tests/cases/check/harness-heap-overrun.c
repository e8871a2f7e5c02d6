// A block that is allocated next does not hide an access beyond the one before it.
// args: check --checks pointer --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(valid-deref)
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    char *first = malloc(16), *second = malloc(16);
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 32 && i < 200)
        first[i] = 1;
    free(first);
    free(second);
    return 0;
}
