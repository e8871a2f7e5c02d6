// Which stack goes on is an input: the solver finds the order that breaks the check.
// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <plumb/stack.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned trace;

static void task(void *argument)
{
    for (;;) {
        trace = trace * 4 + __plumb_stack_current();
        __plumb_stack_switch(0);
    }
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        __plumb_stack_new(task, 0);
    for (int i = 0; i < 4; i++) {
        unsigned next = __VERIFIER_nondet_uint();
        __VERIFIER_assume(next >= 1 && next <= 3);
        __plumb_stack_switch(next);
    }
    if (trace == 3 * 64 + 1 * 16 + 1 * 4 + 2)
        reach_error();
    return 0;
}
