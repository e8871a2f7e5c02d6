// args: check --engine simulate --timeout 0.5
// expect: exit 2
// expect: stdout assumed: inline assembly gives anything: assembly.c:13
// expect: stdout assumed: objects without a definition start with anything: limit
// expect: last UNKNOWN
#include <assert.h>
extern int limit;
int main(void)
{
    for (;;) {
        int x;
        int y = limit;
        __asm__("nop\n\tnop" : "=r"(x));
        assert((x & 1) < 2 || y == 0);
    }
}
