// A pointer into a frame of a stack that does not run: what is written through it is there when the stack goes on.
// args: check --engine bmc
// arch: 32 64
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <plumb/stack.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int *mailbox;

static void receiver(void *argument)
{
    int letter = 0;
    mailbox = &letter;
    __plumb_stack_switch(0);
    if (letter == 4711)
        reach_error();
    __plumb_stack_end(0);
}

int main(void)
{
    unsigned stack = __plumb_stack_new(receiver, 0);
    __plumb_stack_switch(stack);
    *mailbox = __VERIFIER_nondet_int();
    __plumb_stack_switch(stack);
    return 0;
}
