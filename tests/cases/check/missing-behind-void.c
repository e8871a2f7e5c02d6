// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// What a pointer to constant bytes of unknown type leads to is not constant.
#include <assert.h>
extern void hand_over(const void *bytes);
static int reached;

int main(void)
{
    struct { int *target; } message = { &reached };
    hand_over(&message);
    assert(reached == 0);
    return 0;
}
