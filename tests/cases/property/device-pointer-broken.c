// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer

/* Four registers, and no fifth. */
struct timer { volatile int registers[4]; };

int main(void)
{
    struct timer *timer = (struct timer *)0x40000000;
    volatile int *p = timer->registers;
    p[3] = 1;
    p[4] = 1;
    return 0;
}
