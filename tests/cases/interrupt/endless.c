// Handlers run although main does nothing that they could see.
// args: check --engine explicit
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);

static int ticks;

__attribute__((interrupt_handler)) void tick(void)
{
    ticks++;
    if (ticks == 3)
        reach_error();
}

int main(void)
{
    for (;;) {
    }
}
