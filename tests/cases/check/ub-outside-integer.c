// args: check --engine kind --timeout 20
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int *place = (int *)__VERIFIER_nondet_ulong();
    assert(*place == 3);
    return 0;
}
