// args: run --property cleanup.prp
// expect: exit 1
// verdict: FALSE(valid-memcleanup)
// expect: stdout violated: leak

#include <stdlib.h>

int main(void)
{
    char *p = malloc(1);
    *p = 1;
    abort();
}
