// Which stack goes on is an input: the order is the only one that was chosen, whatever it is.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
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
    if (trace >= 256 || trace % 4 == 0)
        reach_error();
    return 0;
}
