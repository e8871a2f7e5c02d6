// args: run --checks leak
// expect: exit 0
// expect: last exited with status 0

/* The sum still needs what its first operand points to. */
#include <stdlib.h>

static int stop(void)
{
    exit(0);
}

static int use(int *p, int n)
{
    return *p + n;
}

int main(void)
{
    return use(malloc(4), stop());
}
