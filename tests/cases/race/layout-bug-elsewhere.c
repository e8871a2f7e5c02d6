// A model that needs objects at other addresses than the machine's does not replay. It ends nothing: the counter's overflow
// is found.
// args: check
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout ticks < 3000
// expect: no-stdout internal error
#include <assert.h>
#include <stdint.h>

int __VERIFIER_nondet_int(void);

static char head[16], tail[16];

int main(void)
{
    int seed = __VERIFIER_nondet_int();
    if ((uintptr_t)head == (uintptr_t)tail + 4096)
        assert(seed != 7);
    int ticks = 0;
    for (;;) {
        if (__VERIFIER_nondet_int() & 1)
            ticks++;
        assert(ticks < 3000);
    }
}
