// args: check --engine kind --timeout 5 --checks double-free
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 0 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// Freed in the iteration before.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ char *p=0; while(__VERIFIER_nondet_int()){ char*q=malloc(1);
  if(p&&__VERIFIER_nondet_int()) free(p); else free(q); p=q; } return 0;}
