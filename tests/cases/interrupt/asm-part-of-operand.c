// args: check --engine explicit
// arch: avr
// expect: exit 2
// expect: stdout inline assembly that masks or unmasks interrupts in its own way: `out __sreg__, %b0`
// expect: last UNKNOWN
extern void reach_error(void);
static volatile unsigned char n;

void __vector_1(void) __attribute__((signal, used));
void __vector_1(void)
{
    n = !n;
}

int main(void)
{
    unsigned x = 0x8000;
    __asm__ __volatile__("cli" ::: "memory");
    __asm__ __volatile__("out __SREG__, %B0" :: "r"(x));
    unsigned char first = n, second = n;
    if (first != second)
        reach_error();
    return 0;
}
