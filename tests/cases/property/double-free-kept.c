// args: run --checks double-free
// expect: exit 0
// expect: last exited with status 0
#include <stdlib.h>
int main(void)
{
    void *p = malloc(4);
    free(p);
    free(0);
    return 0;
}
