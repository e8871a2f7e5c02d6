// args: check --timeout 20
// expect: exit 2
// expect: stdout its only run ends in a fault that no selected check covers: division by zero at fault-only-run.c:10
// expect: last UNKNOWN
#include <assert.h>

int main(void)
{
    volatile int zero = 0;
    assert(5 / zero != 7);
    return 0;
}
