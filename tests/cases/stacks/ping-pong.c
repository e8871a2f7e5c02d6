// Two stacks take turns: each goes on behind its last switch, with its own locals.
// args: run
// arch: 32 64
// expect: exit 0
// expect: stdout 0 10 1 11 2 12 end
#include <stdio.h>
#include <plumb/stack.h>

static void other(void *argument)
{
    int n = *(int *)argument;
    for (;;) {
        printf("%d ", n++);
        __plumb_stack_switch(0);
    }
}

int main(void)
{
    int first = 10;
    unsigned stack = __plumb_stack_new(other, &first);
    for (int n = 0; n < 3; n++) {
        printf("%d ", n);
        __plumb_stack_switch(stack);
    }
    printf("end\n");
    return __plumb_stack_current();
}
