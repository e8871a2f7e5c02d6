// args: check --engine bmc
// expect: exit 2
// expect: stdout a variable in a machine register
// expect: last UNKNOWN
#include <assert.h>
register unsigned long stack_pointer __asm__("rsp");
static unsigned long before;

static void look(void)
{
    char area[64];
    area[0] = 1;
    assert(stack_pointer == before);
}

int main(void)
{
    before = stack_pointer;
    look();
    return 0;
}
