// Objects die with their stack.
// args: check --engine bmc --checks pointer
// arch: 32 64
// expect: exit 1
// expect: last FALSE(valid-deref)
#include <plumb/stack.h>

static int *left;

static void task(void *argument)
{
    int local = 1;
    left = &local;
    __plumb_stack_end(0);
}

int main(void)
{
    __plumb_stack_switch(__plumb_stack_new(task, 0));
    return *left;
}
