// args: check --engine kind --timeout 100
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// The next iteration may get the block of the last.
#include <assert.h>
#include <stdlib.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ uintptr_t old=0; while(__VERIFIER_nondet_int()){ char*q=malloc(1); uintptr_t a=(uintptr_t)q;
  assert(a!=old); old=a; free(q);} return 0;}
