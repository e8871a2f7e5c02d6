// args: check --engine bmc
// expect: exit 2
// expect: stdout a run may do something that is not modelled
// expect: last UNKNOWN
// A part of a block with so many bytes is not followed: no verdict.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    size_t n = __VERIFIER_nondet_size_t(), m = __VERIFIER_nondet_size_t();
    if (n > 100000 || m >= n)
        return 0;
    unsigned char *a = calloc(n, 1);
    memset(a, 1, m);
    assert(a[m] == 0);
    free(a);
    return 0;
}
