// args: check --checks pointer --engine bmc
// expect: exit 1
// expect: last FALSE(valid-deref)
#include <stdlib.h>
#include <string.h>
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    size_t n = __VERIFIER_nondet_size_t(), m = __VERIFIER_nondet_size_t();
    if (n > 16 || m > 17)
        return 0;
    char *a = malloc(n);
    if (a && m <= n + 1)
        memset(a, 0, m);
    free(a);
    return 0;
}
