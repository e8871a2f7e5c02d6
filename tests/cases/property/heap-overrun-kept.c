// args: run --checks pointer
// expect: exit 0
// expect: last exited with status 0
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(4);
    memset(p, 0, 4);
    return 0;
}
