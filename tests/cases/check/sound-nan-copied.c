// args: check --engine bmc --timeout 5
// expect: exit 1
// expect: last FALSE(unreach-call)
// A NaN that is copied stays signalling.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);
int main(void){ float f=__VERIFIER_nondet_float();
#define N __VERIFIER_nondet_int()
 if(N==1) f=1; if(N==2) f=2; if(N==3) f=3; if(N==4) f=4; if(N==5) f=5; if(N==6) f=6; if(N==7) f=7; if(N==8) f=8; if(N==9) f=9;
 unsigned u; memcpy(&u,&f,4); int nan=(u&0x7f800000u)==0x7f800000u && (u&0x7fffffu);
 assert(!nan || (u&0x400000u)); return 0;}
