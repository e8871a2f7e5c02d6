// The variable is out of scope, whatever its place in memory still holds.
// args: check --engine bmc --checks leak
// expect: exit 2
// expect: stdout the program ends while only
// expect: last UNKNOWN
#include <stdlib.h>
static void stop(void) { exit(1); }
int main(void)
{
    {
        char *p = malloc(4);
        *p = 1;
    }
    stop();
}
