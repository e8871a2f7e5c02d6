// args: check --property unreach.prp --timeout 1
// expect: exit 2
// expect: stdout some runs reach an operation that Plumb does not model: _setjmp is not supported at no-call-hidden.c:10
// expect: last UNKNOWN
#include <setjmp.h>
static jmp_buf start;
extern void reach_error(void);
int main(void)
{
    if (setjmp(start) == 0)
        reach_error();
    return 0;
}
