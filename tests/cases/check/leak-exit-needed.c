// args: check --engine bmc --checks leak
// expect: exit 2
// expect: stdout the program ends while only
// expect: last UNKNOWN

/* The sum still needs what its second operand points to, which is computed first. */
#include <stdlib.h>

static int stop(void)
{
    exit(0);
}

static int use(int n, int *p)
{
    return *p + n;
}

int main(void)
{
    return use(stop(), malloc(4));
}
