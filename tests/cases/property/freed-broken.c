// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    free(p);
    *p = 3;
    return 0;
}
