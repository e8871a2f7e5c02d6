// args: check --engine bmc --timeout 5 --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
// What a freed block points to is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct L{void*n;}; struct L*g;
int main(void){ g=malloc(sizeof*g); g->n=malloc(4); if(__VERIFIER_nondet_int()) free(g); return 0;}
