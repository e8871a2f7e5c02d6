// args: run --checks double-free
// expect: exit 0
// expect: last exited with status 0
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4);
    free(p + 1 - 1);
    return 0;
}
