// Compilers have functions without bodies for the mask.
// args: check --isr tick
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern unsigned __get_PRIMASK(void);
extern void __set_PRIMASK(unsigned mask);
extern void __disable_irq(void);
static volatile int n;

void tick(void)
{
    n = !n;
}

int main(void)
{
    unsigned saved = __get_PRIMASK();
    __disable_irq();
    n = 0;
    __set_PRIMASK(saved);
    int first = n, second = n;
    if (first != second)
        reach_error();
    return 0;
}
