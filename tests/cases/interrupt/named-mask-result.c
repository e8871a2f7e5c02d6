// What a function that masks returns is arbitrary.
// args: check --isr tick --irq-mask irq_save --irq-unmask irq_restore
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern unsigned irq_save(int how);
extern void irq_restore(unsigned saved);
static int n;

void tick(void)
{
    n = !n;
}

int main(void)
{
    unsigned saved = irq_save(1) + 2;
    irq_restore(saved);
    if (saved == 5)
        reach_error();
    return n;
}
