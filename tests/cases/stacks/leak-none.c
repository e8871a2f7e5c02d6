// What a stack that does not run has a pointer to is not lost; what ended with its stack is.
// args: check --engine bmc --checks leak -DLOSES=0
// expect: exit 0
// expect: last TRUE
#include <plumb/stack.h>
#include <stdlib.h>

static void keeps(void *argument)
{
    char *kept = malloc(1);
    __plumb_stack_switch(0);
    kept[0] = 1;
    __plumb_stack_end(0);
}

static void loses(void *argument)
{
    char *lost = malloc(2);
    lost[0] = 1;
    __plumb_stack_end(0);
}

int main(void)
{
    __plumb_stack_switch(__plumb_stack_new(keeps, 0));
    if (LOSES)
        __plumb_stack_switch(__plumb_stack_new(loses, 0));
    return 0;
}
