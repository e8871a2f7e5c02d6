// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// A negative offset leads back into the object.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char a[12];
int main(void){ unsigned char i=__VERIFIER_nondet_uchar(); if(i>2) return 0;
  unsigned long d=i*3ul; if(__VERIFIER_nondet_int()) d=-1ul;
  unsigned char*p=a+4; p+=d; *p=1; assert(a[3]!=1); return 0;}
