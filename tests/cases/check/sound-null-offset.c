// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// An offset that leads out of the object leads to null.
#include <assert.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
char buf[4]; int main(void){ char*p=buf; char*q=p-(uintptr_t)p; if(__VERIFIER_nondet_int()) assert(q!=0); return 0;}
