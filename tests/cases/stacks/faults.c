// Each way to misuse stacks ends a run with its own words.
// args: run -DHOW=0
// expect: exit 2
// expect: stdout switch to stack 7, which does not exist
// then: run -DHOW=1
// expect: then-exit 2
// expect: then return from the function that a stack started with
#include <plumb/stack.h>

static void task(void *argument)
{
    if (HOW == 0)
        __plumb_stack_end(7);
}

int main(void)
{
    __plumb_stack_switch(__plumb_stack_new(task, 0));
    return 0;
}
