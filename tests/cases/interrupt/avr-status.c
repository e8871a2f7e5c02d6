// The status register saved, interrupts masked, and the register restored: masked where it was, unmasked where it was not.
// args: check --engine explicit
// arch: avr
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
#define SREG (*(volatile unsigned char *)0x5f)

static volatile unsigned char allowed, low, high;

void __vector_3(void) __attribute__((signal, used));
void __vector_3(void)
{
    if (!allowed)
        reach_error();
    low = !low;
    high = low;
}

static void guarded(void)
{
    unsigned char status = SREG;
    __asm__ __volatile__("cli" ::: "memory");
    if (low != high)
        reach_error();
    SREG = status;
}

int main(void)
{
    guarded();
    allowed = 1;
    __asm__ __volatile__("sei" ::: "memory");
    guarded();
    for (;;) {
    }
}
