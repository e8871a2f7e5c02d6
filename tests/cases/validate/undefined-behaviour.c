// args: check --engine kind --witness {tmp}/w.yml
// expect: exit 0
// expect: last TRUE
// then: validate --witness {tmp}/w.yml
// expect: then ; assumed: no run divides by zero at undefined-behaviour.c:15
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* The validator supposes what the proof does, and says so. */
int main(void)
{
    int share = 0;
    while (1) {
        int divisor = __VERIFIER_nondet_int();
        share = 1000 / divisor;
        assert(divisor != 0 && share <= 1000);
    }
}
