// args: check --timeout 5
// expect: exit 2
// expect: stdout no answer: no violation was found, but some runs reach an operation that Plumb does not model: _setjmp is not supported
// expect: last UNKNOWN
#include <assert.h>
#include <setjmp.h>
static jmp_buf start;
extern int sensor(void);
int main(void)
{
    int x = sensor();
    if (setjmp(start) == 0)
        assert(x != 5);
    return 0;
}
