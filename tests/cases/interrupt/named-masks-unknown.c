// args: check --isr tick --irq-mask lock --irq-unmask no_such_function
// expect: exit 3
// expect: stderr there is no function `no_such_function` to mask interrupts with
#include <assert.h>
int ticks;
void lock(void);
void tick(void) { ticks = 1; }
int main(void)
{
    lock();
    assert(ticks == 0);
    return 0;
}
