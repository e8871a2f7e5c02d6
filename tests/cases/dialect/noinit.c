// Nothing clears this section when the machine starts.
// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
static unsigned resets __attribute__((section(".noinit")));
int main(void)
{
    assert(resets == 0);
    return 0;
}
