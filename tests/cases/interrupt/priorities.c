// A handler interrupts what runs at a lower priority, and not what runs at its own.
// args: check --engine explicit --isr low:1 --isr same:1 --isr high:2
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);

static int in_low, in_same, in_high;

void low(void)
{
    if (in_same || in_high || in_low)
        reach_error();
    in_low = 1;
    in_low = 0;
}

void same(void)
{
    if (in_low || in_high)
        reach_error();
    in_same = 1;
    in_same = 0;
}

void high(void)
{
    in_high = 1;
    in_high = 0;
}

int main(void)
{
    for (;;) {
    }
}
