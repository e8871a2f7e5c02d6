// args: check --strict --engine kind --timeout 5
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// A freed block is not the one of the next iteration.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ char *p=0; while(__VERIFIER_nondet_int()){ char*q=malloc(1); *q=1;
  if(p && __VERIFIER_nondet_int()) { *p=3; assert(*q==3);} p=q; free(q);} return 0;}
