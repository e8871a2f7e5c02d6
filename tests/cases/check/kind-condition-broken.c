// args: check --engine kind --timeout 3
// expect: exit 2
// expect: reason no violation was found within the timeout
// expect: reason k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int mode = __VERIFIER_nondet_int();
    unsigned a = 0, b = 0, step = mode ? 3 : 7;
    while (__VERIFIER_nondet_int()) {
        a += step;
        b += 3;
    }
    if (mode)
        assert(a == b && a < 3000000);
    return 0;
}
