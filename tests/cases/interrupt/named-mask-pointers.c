// Functions that mask do so where they are called through pointers.
// args: check --isr tick --irq-mask off --irq-unmask on
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
static volatile int n;
static void off(void) { }
static void on(void) { }
static struct { void (*mask)(void), (*unmask)(void); } ops = { off, on };

void tick(void)
{
    n = !n;
}

int main(void)
{
    ops.mask();
    int first = n;
    ops.unmask();
    int second = n;
    if (first != second)
        reach_error();
    return 0;
}
