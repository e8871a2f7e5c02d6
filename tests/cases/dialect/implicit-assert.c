// Without its header assert is a primitive that takes any scalar.
// args: check --engine bmc
// expect: last TRUE
#include <stdlib.h>
int main(void)
{
    char *p = malloc(100);
    long long wide = 1ll << 40;
    double half = 0.5;
    _Bool yes = 1;
    assert(p);
    assert(wide);
    assert(half);
    assert(yes);
    __VERIFIER_assert(half);
    return 0;
}
