// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// Far outside of the object addresses wrap.
#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
char buf[4]; int main(void){ char*p=buf; uintptr_t k=__VERIFIER_nondet_ulong();
  char*q=(char*)((uintptr_t)p+k); if(k==1ul<<63) assert(q<p); return 0;}
