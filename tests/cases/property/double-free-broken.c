// args: run --checks double-free
// expect: exit 1
// verdict: FALSE(valid-free)
// expect: stdout violated: double-free
#include <stdlib.h>
int main(void)
{
    void *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
