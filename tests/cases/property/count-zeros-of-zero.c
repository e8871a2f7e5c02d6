// args: check --engine bmc
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour
// expect: last UNKNOWN
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_ffs(0) == 0 && __builtin_popcount(0) == 0 && __builtin_clrsb(0) == 31 && __builtin_parityl(0) == 0);
    assert(__builtin_clz(x) < 32);
    return 0;
}
