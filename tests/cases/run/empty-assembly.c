// expect: exit 0
// Values keep their way through assembly that only hides them from the optimiser.
#include <assert.h>
int main(void){ int x=5,y=7; asm("" : "+r"(x)); assert(x==5); int z; asm("" : "=r"(z) : "0"(y)); assert(z==7);
 int a,b; asm("" : "=r"(a), "=r"(b) : "0"(x), "1"(y)); assert(a==5 && b==7); asm volatile("" ::: "memory"); return 0;}
