// args: check --engine bmc
// arch: 64 32
// expect: last TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_ffs((int)x) <= 32);
    if (x != 0) {
        assert(__builtin_clz(x) < 32 && __builtin_ctzll(x) < 32 && __builtin_ctzl(x) < 32);
        assert(x >> __builtin_ctz(x) & 1u);
    }
    return 0;
}
