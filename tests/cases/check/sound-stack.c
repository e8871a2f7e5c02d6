// args: check --engine bmc --timeout 5
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at sound-stack.c:8
// expect: last UNKNOWN
// The stack is too small for this.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int f(int n){ volatile char b[1<<20]; b[5]=n; return n? f(n-1)+b[5]:0;}
int main(void){ int r=f(20); if(__VERIFIER_nondet_int()) assert(r==210); return 0;}
