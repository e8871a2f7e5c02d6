// args: run --checks pointer
// expect: exit 1
// expect: stdout violated: pointer
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    free(p);
    *p = 3;
    return 0;
}
