// args: check --isr tick --engine explicit
// arch: 32
// expect: exit 2
// expect: stdout inline assembly that masks or unmasks interrupts in its own way: `cpsid i`
// expect: last UNKNOWN
extern void reach_error(void);
static volatile int n;

void tick(void)
{
    n = !n;
}

int main(void)
{
    int x = 0;
    __asm volatile("cmp %0, #0\n\tbeq 1f\n\tcpsid i\n1:" :: "r"(x) : "cc");
    int first = n, second = n;
    if (first != second)
        reach_error();
    return 0;
}
