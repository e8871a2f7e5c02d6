// A handler that is not there is a slip.
// args: check --isr tick:2
// expect: exit 3
// expect: stderr there is no function `tick` to handle interrupts
extern void reach_error(void);

int main(void)
{
    if (0)
        reach_error();
    return 0;
}
