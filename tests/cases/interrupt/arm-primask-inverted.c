// What is read is changed before it comes out: it is arbitrary.
// args: check --isr tick --engine explicit
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>

static volatile int n;

void tick(void)
{
    n = !n;
}

int main(void)
{
    unsigned unmasked;
    __asm volatile("mrs %0, primask\n\teor %0, %0, #1" : "=r"(unmasked));
    assert(unmasked == 0);
    return n;
}
