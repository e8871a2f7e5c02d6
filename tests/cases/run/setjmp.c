// expect: exit 2
// expect: stdout setjmp
#include <setjmp.h>
static jmp_buf b;
int main(void) { if (setjmp(b)) return 1; longjmp(b, 1); }
