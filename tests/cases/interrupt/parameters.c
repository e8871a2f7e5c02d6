// What hardware passes to a handler is not modelled.
// args: check
// expect: exit 3
// expect: stderr the interrupt handler `fault` takes parameters
struct frame;

__attribute__((interrupt)) void fault(struct frame *at)
{
}

int main(void)
{
    return 0;
}
