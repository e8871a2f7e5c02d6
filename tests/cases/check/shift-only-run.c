// args: check --timeout 1
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout its only run ends in a fault that no selected check covers: shift count
#include <assert.h>
int main(void)
{
    volatile int count = 40;
    int x = 1 << count;
    assert(x != 256);
    return 0;
}
