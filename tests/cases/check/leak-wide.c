// An address in the upper half of a wide integer may still be one.
// args: check --engine bmc --checks leak
// expect: exit 2
// expect: stdout the program ends while only
// expect: last UNKNOWN
#include <stdint.h>
#include <stdlib.h>

static void stop(void)
{
    exit(1);
}

int main(void)
{
    char *p = malloc(4);
    unsigned __int128 wide = (unsigned __int128)(uintptr_t)p << 64;
    p = 0;
    stop();
    return wide != 0;
}
