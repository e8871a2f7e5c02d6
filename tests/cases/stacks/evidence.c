// Inputs replay, and the harness switches stacks with the host's contexts.
// args: check --engine bmc --inputs {tmp}/i --harness {tmp}/h.c --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: file h.c makecontext
// expect: file h.c.include/plumb/stack.h __plumb_stack_new
// then: run --inputs {tmp}/i
// expect: then-exit 1
#include <plumb/stack.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int level;

static void task(void *argument)
{
    for (;;) {
        int by = __VERIFIER_nondet_int();
        if (by > 0 && by < 4)
            level += by;
        __plumb_stack_switch(0);
    }
}

int main(void)
{
    unsigned stack = __plumb_stack_new(task, 0);
    for (int i = 0; i < 3; i++) {
        __plumb_stack_switch(stack);
        if (level == 7)
            reach_error();
    }
    return 0;
}
