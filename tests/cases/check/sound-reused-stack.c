// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// Both calls may have one frame.
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
static uintptr_t f(void){ int x=1; return (uintptr_t)&x; }
int main(void){ uintptr_t a=f(), b=f(); if(__VERIFIER_nondet_int()) assert(a!=b); return 0;}
