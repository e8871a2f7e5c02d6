// args: check --engine kind --timeout 5 --checks pointer
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// The block that is accessed was freed in the iteration before.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ char *p=0; while(__VERIFIER_nondet_int()){ char*q=malloc(1); if(!q) return 0; *q=1;
  if(__VERIFIER_nondet_int() && p) { *p=2; } p=q; free(q);} return 0;}
