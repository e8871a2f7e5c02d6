// The status register is restored by an instruction: interrupts are not masked any more.
// args: check
// arch: avr
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
#define SREG (*(volatile unsigned char *)0x5f)

static volatile unsigned char n;

void __vector_1(void) __attribute__((signal, used));
void __vector_1(void)
{
    n++;
}

int main(void)
{
    __asm__ __volatile__("sei" ::: "memory");
    unsigned char saved;
    __asm__ __volatile__("in %0, __SREG__\n\tcli" : "=r"(saved) :: "memory");
    n = 0;
    __asm__ __volatile__("out __SREG__, %0" :: "r"(saved) : "memory");
    unsigned char first = n, second = n;
    if (first != second)
        reach_error();
    return 0;
}
