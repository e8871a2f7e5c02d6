// args: run --checks pointer,bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <stdlib.h>
volatile int far = 64;
int main(void)
{
    char *p = malloc(16), *q = malloc(4096);
    p += far;
    *p = 1;
    free(q);
    return 0;
}
