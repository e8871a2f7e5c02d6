// What a register held before a switch is not what the global has behind it.
// args: check --engine bmc
// arch: 32 64
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#include <plumb/stack.h>

static int turn = 1;
static int twice;

static void task(void *argument)
{
    for (;;) {
        turn += 1;
        twice = turn * 2;
        __plumb_stack_switch(0);
    }
}

int main(void)
{
    unsigned stack = __plumb_stack_new(task, 0);
    int before = turn;
    __plumb_stack_switch(stack);
    assert(turn == before + 1 && twice == 2 * turn);
    int between = turn;
    __plumb_stack_switch(stack);
    assert(turn == between + 1 && between + turn == 5 && twice == 6);
    return 0;
}
