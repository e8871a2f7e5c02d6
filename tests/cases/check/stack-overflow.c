// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout its only run ends in a fault that no selected check covers: stack overflow
// expect: last UNKNOWN
#include <assert.h>

static int deep(int n)
{
    volatile char room[1000];
    room[0] = (char)n;
    return n == 0 ? 0 : 1 + deep(n - 1);
}

/* No stack has a hundred megabytes. */
int main(void)
{
    deep(100000);
    assert(0);
    return 0;
}
