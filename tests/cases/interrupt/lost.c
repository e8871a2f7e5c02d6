// An interrupt between reading and writing back: what the handler has added is lost.
// args: check
// expect: exit 1
// expect: stdout interrupts may occur whenever they are not masked
// expect: last FALSE(unreach-call)
extern void reach_error(void);

static int count, ticks;

__attribute__((isr)) void tick(void)
{
    if (ticks < 2) {
        ticks++;
        count++;
    }
}

int main(void)
{
    count = count + 1;
    int seen = ticks;
    if (seen == 2 && count != 3)
        reach_error();
    return 0;
}
