// Induction is about one stack, and says so.
// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: the engine supports one call stack only, and the program has several
#include <assert.h>
#include <plumb/stack.h>

static unsigned n;

static void task(void *argument)
{
    for (;;) {
        n = 0;
        __plumb_stack_switch(0);
    }
}

int main(void)
{
    unsigned stack = __plumb_stack_new(task, 0);
    for (;;) {
        n++;
        assert(n == 1);
        __plumb_stack_switch(stack);
    }
}
