// Stacks that make the next one and end, without any loop: bounds stop them too.
// args: check --engine bmc --unwind 5
// expect: exit 2
// expect: stdout no answer: no run violates a check within the unwinding bound of 5
#include <assert.h>
#include <plumb/stack.h>
extern int __VERIFIER_nondet_int(void);

static unsigned steps;

static void link(void *argument)
{
    assert(steps < 1000);
    if (__VERIFIER_nondet_int())
        steps++;
    __plumb_stack_end(__plumb_stack_new(link, 0));
}

int main(void)
{
    __plumb_stack_switch(__plumb_stack_new(link, 0));
    return 0;
}
