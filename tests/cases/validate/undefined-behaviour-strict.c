// args: check --engine kind --witness {tmp}/w.yml
// expect: exit 0
// expect: last TRUE
// then: validate --strict --witness {tmp}/w.yml
// expect: then-exit 1
// expect: then a run may have undefined behaviour that no selected check covers
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* Nothing may be supposed. */
int main(void)
{
    int share = 0;
    while (1) {
        int divisor = __VERIFIER_nondet_int();
        share = 1000 / divisor;
        assert(divisor != 0 && share <= 1000);
    }
}
