// args: check --checks pointer --engine bmc
// expect: exit 0
// expect: last TRUE
// Blocks of a size that is an input, filled and copied.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    size_t n = __VERIFIER_nondet_size_t(), m = __VERIFIER_nondet_size_t();
    if (n > 16 || m > n)
        return 0;
    char text[16] = "abcdefghijklmno";
    char *a = malloc(n), *b = calloc(n, 1), *c = malloc(n);
    if (!a || !b || !c)
        return 0;
    memset(a, 7, n);
    memcpy(c, a, n);
    memmove(b, text, m);
    memset(a, 1, m);
    if (m > 2)
        assert(a[1] == 1 && c[1] == 7 && b[2] == 'c');
    if (m < n)
        assert(a[m] == 7 && b[m] == 0);
    free(a);
    free(b);
    free(c);
    return 0;
}
