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
    unsigned ticks = 0, sent = 5, seen = 1;
    while (__VERIFIER_nondet_int()) {
        ticks += 1;
        sent += 3;
        seen += 4 + (ticks == 100000);
    }
    assert(sent + seen == 7 * ticks + 6);
    return 0;
}
