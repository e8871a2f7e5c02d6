// A stack ends inside of nested calls; the stack that goes on finds its own calls and locals as they were.
// args: check --engine symex
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#include <plumb/stack.h>
extern int __VERIFIER_nondet_int(void);

static int depth_reached;

static void down(int depth)
{
    depth_reached = depth;
    if (depth == 3)
        __plumb_stack_end(0);
    down(depth + 1);
    assert(0);
}

static void task(void *argument)
{
    down(0);
}

static int wait_for(unsigned stack, int kept)
{
    int mine = kept + 1;
    __plumb_stack_switch(stack);
    return mine - 1;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(wait_for(__plumb_stack_new(task, 0), x) == x);
    assert(depth_reached == 3);
    return 0;
}
