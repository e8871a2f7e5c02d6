// Without interrupts, which is then assumed.
// args: check --no-interrupts
// expect: exit 0
// expect: stdout interrupt handlers are not called by hardware: tick
// expect: last TRUE
extern void reach_error(void);

static int ticks;

__attribute__((interrupt_handler)) void tick(void)
{
    ticks++;
}

int main(void)
{
    if (ticks)
        reach_error();
    return 0;
}
