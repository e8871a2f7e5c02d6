// An address that is far outside of every object holds none.
// args: check --engine bmc --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdint.h>
#include <stdlib.h>

static void stop(void)
{
    exit(1);
}

int main(void)
{
    char *p = malloc(4);
    uintptr_t far = (uintptr_t)p + 1000000;
    p = 0;
    stop();
    return far != 0;
}
