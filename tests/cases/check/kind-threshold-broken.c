// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = 0;
    while (x < 90000000) {
        if (x < 30000001)
            x += 1;
        else
            x += 3;
    }
    assert(x == 90000000);
    return 0;
}
