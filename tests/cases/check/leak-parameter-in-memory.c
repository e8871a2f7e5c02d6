// A parameter whose address is taken lives in memory alone: what was passed is not held a second time.
// args: check --engine bmc --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdlib.h>

static void set(char **p)
{
    *p = 0;
}

static void stop(char *given)
{
    set(&given);
    exit(1);
}

int main(void)
{
    stop(malloc(4));
    return 0;
}
