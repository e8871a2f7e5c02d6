// args: check --checks pointer --engine bmc
// expect: exit 1
// expect: last FALSE(valid-deref)
// The object's size is not known, and the access ends where addresses begin again.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = (__VERIFIER_nondet_uint() & 1) + 2;
    int *p = malloc(n * sizeof(int));
    if (!p) return 0;
    p[0] = 1;
    int *q = p + 2;
    return q[-3];
}
