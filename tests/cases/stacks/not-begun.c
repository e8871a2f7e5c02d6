// Two stacks that have not begun differ in their argument only, which decides what they do: their states are not one.
// args: check --engine explicit --isr low:1 --error-function reach_error
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <plumb/stack.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static int entered, started, one;

void first(void *argument)
{
    __plumb_stack_switch(argument ? 1u : 0u);
    __plumb_stack_end(0);
}

void counter(void *argument)
{
    (void)argument;
    for (;;) {
        entered++;
        __plumb_stack_switch(0);
    }
}

void low(void)
{
    started = 1;
}

int main(void)
{
    unsigned left, right;
    int seen;
    __plumb_stack_new(counter, 0);
    left = __plumb_stack_new(first, __VERIFIER_nondet_bool() ? (void *)&one : (void *)0);
    right = __plumb_stack_new(first, __VERIFIER_nondet_bool() ? (void *)&one : (void *)0);
    started = 2;
    seen = started;
    __plumb_stack_switch(left);
    __plumb_stack_switch(right);
    if (entered == 1)
        reach_error();
    return seen;
}
