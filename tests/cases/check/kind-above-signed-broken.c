// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned at = 3000000000u;
    while (at < 4000000000u && __VERIFIER_nondet_int())
        at += 1;
    assert(at >= 3000000000u && at < 4000000000u);
    return 0;
}
