// args: check --engine bmc
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at ub-shift.c:11
// expect: no-stdout assumed: no run
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned bit = 1u << __VERIFIER_nondet_int();
    assert(bit != 0);
    return 0;
}
