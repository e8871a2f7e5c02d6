// What restores PRIMASK unmasks, and the handler may run behind it.
// args: check --isr tick
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>

static volatile int n;

void tick(void)
{
    n++;
}

int main(void)
{
    unsigned saved;
    __asm volatile("mrs %0, primask" : "=r"(saved));
    __asm volatile("cpsid i" : : : "memory");
    n = 0;
    __asm volatile("msr primask, %0" : : "r"(saved) : "memory");
    int first = n, second = n;
    assert(first == second);
    return 0;
}
