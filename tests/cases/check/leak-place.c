// args: check --checks leak
// expect: exit 1
// expect: stdout leak-place.c:10:5, in main
// expect: no-stdout __plumb_start
#include <stdlib.h>
int main(void)
{
    char *p = malloc(10);
    p = 0;
    return 0;
}
