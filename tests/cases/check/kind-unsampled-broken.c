// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// No sample gets through the first loop in time: what is known of the second is found without running it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned at = 0, next = 4;
    while (at < 500000000)
        at += 2;
    while (next < 70000000 && __VERIFIER_nondet_int())
        next += 4;
    assert(next % 4 == 0 && next < 70000000 && at <= 500000000);
    return 0;
}
