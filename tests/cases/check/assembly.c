// args: check --engine simulate --timeout 0.5
// expect: exit 2
// expect: stdout no answer: no violation was found within the timeout of 0.5 s
// expect: stdout assumed: inline assembly may set its outputs to any values and changes nothing else: assembly.c:14
// expect: stdout assumed: objects without a definition have arbitrary initial values: limit
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
