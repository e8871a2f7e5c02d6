// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), done = 0;
    if (n < -1 || n > 1000000)
        return 0;
    for (int i = 0; i < 2 * n; i++) {
        if (i % 2 == 1)
            done++;
    }
    assert(done == n);
    return 0;
}
