// args: run --checks leak
// expect: exit 0
// expect: last exited with status 0
#include <stdlib.h>
void *p;
int main(void)
{
    p = malloc(4);
    return 0;
}
