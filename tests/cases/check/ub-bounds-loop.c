// args: check --engine kind --timeout 20
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: no-stdout assumed: no run
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

int table[4];

int main(void)
{
    while (1) {
        int at = __VERIFIER_nondet_int();
        table[at] = 1;
        assert(at >= 0 && at < 4);
    }
}
