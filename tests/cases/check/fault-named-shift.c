// So is the check that looks for it.
// args: check --engine bmc
// expect: exit 2
// expect: stdout one shifts by a negative count or by one of at least the width
// expect: stdout (add --checks shift to check this)
// expect: last UNKNOWN
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    assert(((1u << x) & 1) == 0 || x == 0);
    return 0;
}
