// AVR starts with interrupts masked, and a handler runs with interrupts masked.
// args: check --engine explicit
// arch: avr
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);

static volatile unsigned char ready, busy;

void __vector_7(void) __attribute__((signal, used));
void __vector_7(void)
{
    if (!ready || busy)
        reach_error();
    busy = 1;
    busy = 0;
}

int main(void)
{
    ready = 1;
    __asm__ __volatile__("sei" ::: "memory");
    for (;;) {
    }
}
