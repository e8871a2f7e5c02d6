// args: check --engine kind --checks leak
// expect: exit 2
// expect: stdout leaks are checked where runs end
// expect: last UNKNOWN
// The block is lost before a loop that never ends.
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4);
    p = 0;
    for (;;)
        ;
    return p != 0;
}
