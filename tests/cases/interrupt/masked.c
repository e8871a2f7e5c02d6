// While interrupts are masked nothing is lost.
// args: check --engine explicit --isr tick
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
extern void __disable_irq(void);
extern void __enable_irq(void);

static int count, ticks;

void tick(void)
{
    if (ticks < 2) {
        ticks++;
        count++;
    }
}

int main(void)
{
    __disable_irq();
    count = count + 1;
    __enable_irq();
    __disable_irq();
    if (ticks == 2 && count != 3)
        reach_error();
    return 0;
}
