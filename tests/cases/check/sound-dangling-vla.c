// args: check --strict --engine kind --timeout 5
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// An array of the iteration before.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ int *p=0; while(__VERIFIER_nondet_int()){ int n=(__VERIFIER_nondet_int()&3)+1; int a[n]; a[0]=1;
  if(p && __VERIFIER_nondet_int()){ *p=5; assert(a[0]==5);} p=a; } return 0;}
