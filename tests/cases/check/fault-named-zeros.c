// Undefined behaviour that is in the way of a proof is named.
// args: check --engine bmc
// expect: exit 2
// expect: stdout one counts the leading or trailing zeros of 0
// expect: last UNKNOWN
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(__builtin_clz(x) <= 31);
    return 0;
}
