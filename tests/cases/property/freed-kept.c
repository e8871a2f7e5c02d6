// args: run --checks pointer
// expect: exit 0
// expect: last exited with status 0
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    *p = 3;
    free(p);
    return 0;
}
