// A handler that unmasks is interrupted, also by itself.
// args: check --engine explicit
// arch: avr
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);

static volatile unsigned char depth;

void __vector_7(void) __attribute__((signal, used));
void __vector_7(void)
{
    depth = depth + 1;
    if (depth == 2)
        reach_error();
    __asm__ volatile("sei" ::: "memory");
    __asm__ volatile("cli" ::: "memory");
    depth = depth - 1;
}

int main(void)
{
    __asm__ volatile("sei" ::: "memory");
    return 0;
}
