// Switching to what is no stack is a fault of the program, in the way of a proof.
// args: check --engine bmc
// expect: exit 2
// expect: stdout no answer: no check is violated, but some runs may end by undefined behaviour
// expect: reason no-such-stack.c
#include <assert.h>
#include <plumb/stack.h>
extern unsigned __VERIFIER_nondet_uint(void);

static void task(void *argument)
{
    __plumb_stack_end(0);
}

int main(void)
{
    __plumb_stack_new(task, 0);
    __plumb_stack_switch(__VERIFIER_nondet_uint() % 3);
    assert(__plumb_stack_current() == 0);
    return 0;
}
