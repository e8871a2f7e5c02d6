// args: check --engine kind --checks leak
// expect: exit 2
// expect: stdout memory that is lost in runs which never end
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
