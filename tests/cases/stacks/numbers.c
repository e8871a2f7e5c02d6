// The smallest free number is used again; the running stack's number is its own; switching to itself does nothing.
// args: check --engine bmc
// arch: 32 64 avr hc12
// expect: exit 0
// expect: last TRUE
#include <plumb/stack.h>
extern void reach_error(void);
#define assert(condition) do { if (!(condition)) reach_error(); } while (0)

static unsigned ran;

static void once(void *argument)
{
    ran = __plumb_stack_current();
    __plumb_stack_switch(ran);
    __plumb_stack_end(0);
}

int main(void)
{
    assert(__plumb_stack_current() == 0);
    unsigned a = __plumb_stack_new(once, 0), b = __plumb_stack_new(once, 0), c = __plumb_stack_new(once, 0);
    assert(a == 1 && b == 2 && c == 3);
    __plumb_stack_switch(b);
    assert(ran == b && __plumb_stack_current() == 0);
    assert(__plumb_stack_new(once, 0) == 2);
    assert(__plumb_stack_new(once, 0) == 4);
    return 0;
}
