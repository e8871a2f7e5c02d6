// Masks by priority are not modelled.
// args: check --isr tick --engine explicit
// arch: 32
// expect: exit 2
// expect: stdout inline assembly that masks or unmasks interrupts in its own way: `msr basepri, %0`
// expect: last UNKNOWN
#include <assert.h>

static volatile int n;

void tick(void)
{
    n = !n;
}

int main(void)
{
    __asm volatile("msr basepri, %0" : : "r"(16) : "memory");
    int first = n, second = n;
    assert(first == second);
    return 0;
}
