// A section that restores what it found does not tell how the program starts: unmasked, as where nothing unmasks.
// args: check
// arch: avr
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
static volatile unsigned char n;

void __vector_1(void) __attribute__((signal, used));
void __vector_1(void)
{
    n = !n;
}

int main(void)
{
    unsigned char saved;
    __asm__ __volatile__("in %0, __SREG__\n\tcli" : "=r"(saved) :: "memory");
    n = 0;
    __asm__ __volatile__("out __SREG__, %0" :: "r"(saved) : "memory");
    unsigned char first = n, second = n;
    if (first != second)
        reach_error();
    return 0;
}
