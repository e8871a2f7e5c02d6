// A parameter without a name holds what it was given all the same.
// args: check --engine bmc --checks leak
// expect: exit 0
// expect: last TRUE
#include <stdlib.h>

static void stop(char *)
{
    exit(1);
}

int main(void)
{
    stop(malloc(4));
    return 0;
}
