// args: check --checks double-free
// expect: exit 1
// expect: stdout with one input, zero throughout
#include <stdlib.h>
int main(void)
{
    int *a = malloc(4);
    free(a);
    free(a);
    return 0;
}
