// The result of a call that unmasks is stored behind the section, and the handler may run after that.
// args: check --isr tick
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
static int g, n;

void tick(void)
{
    n = g;
}

static int unlock(void)
{
    __asm volatile("cpsie i" ::: "memory");
    return 1;
}

int main(void)
{
    __asm volatile("cpsid i" ::: "memory");
    g = unlock();
    int seen = n;
    if (seen == 1)
        reach_error();
    return 0;
}
