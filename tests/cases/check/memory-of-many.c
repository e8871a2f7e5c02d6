// args: check --checks pointer --engine bmc
// expect: exit 0
// expect: last TRUE
// A whole block is filled and copied, however many bytes it has.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    size_t n = __VERIFIER_nondet_size_t();
    if (n > 100000)
        return 0;
    unsigned char *a = malloc(n), *b = malloc(n);
    memset(a, 0x5a, n);
    memcpy(b, a, n);
    if (n > 5000)
        assert(a[n - 1] == 0x5a && b[4321] == 0x5a);
    free(a);
    free(b);
    return 0;
}
