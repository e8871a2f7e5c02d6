// args: check --engine kind --checks pointer
// expect: last TRUE
// As avr-libc's ATOMIC_BLOCK: interrupts are on again after every way out of the block.
#include <assert.h>
#include <stdbool.h>

int nondet_int(void);

static bool masked;

static bool mask(void) { masked = true; return true; }
static void restore(const bool *saved) { masked = *saved; }

#define ATOMIC for (bool saved __attribute__((cleanup(restore))) = masked, once = mask(); once; once = false)

static int shared;

static int take(int limit)
{
    ATOMIC {
        assert(masked);
        if (shared > limit)
            return shared;
        if (nondet_int())
            break;
        shared = nondet_int();
    }
    return 0;
}

int main(void)
{
    for (;;) {
        take(nondet_int());
        assert(!masked);
    }
}
