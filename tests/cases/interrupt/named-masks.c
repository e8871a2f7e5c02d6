// Functions of the user's that mask and unmask.
// args: check --engine explicit --isr tick --irq-mask lock --irq-unmask unlock
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);

static int depth, shared;

void lock(void) { depth++; }
void unlock(void) { depth--; }

void tick(void)
{
    shared = 1;
    shared = 0;
}

int main(void)
{
    lock();
    shared = 5;
    if (shared != 5)
        reach_error();
    unlock();
    return 0;
}
