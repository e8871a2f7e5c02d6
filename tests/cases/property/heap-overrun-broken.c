// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(4);
    memset(p, 0, 5);
    return 0;
}
