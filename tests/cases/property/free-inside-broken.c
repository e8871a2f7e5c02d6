// args: run --checks double-free
// expect: exit 1
// verdict: FALSE(valid-free)
// expect: stdout violated: double-free
#include <stdlib.h>
int main(void)
{
    char *p = malloc(4);
    free(p + 1);
    return 0;
}
