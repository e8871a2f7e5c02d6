// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned level = 8;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            level += 12;
        else
            level -= 22;
    }
    assert(level % 4 == 0);
    return 0;
}
