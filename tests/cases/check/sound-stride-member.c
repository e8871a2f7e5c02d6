// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// A member before the one that the pointer was made from.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct T{int a,b,c;} t[6];
int main(void){ unsigned char i=__VERIFIER_nondet_uchar(); if(i>3) return 0;
 long d=(unsigned long)i*sizeof(struct T); if(__VERIFIER_nondet_int()) d=-4;
 int*p=(int*)((char*)&t[1].b+d); *p=1; assert(t[1].a!=1); return 0;}
