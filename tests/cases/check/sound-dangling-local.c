// args: check --strict --engine kind --timeout 5
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// A local of an earlier call is not that of the next.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int g; int *p=&g;
void f(int c){ int x=5; if(c) { assert(*p>=0);} p=&x; x=1; *p=7;}
int main(void){ while(__VERIFIER_nondet_int()){ f(__VERIFIER_nondet_int()); } return 0;}
