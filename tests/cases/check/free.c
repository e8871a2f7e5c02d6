// args: check --checks double-free
// expect: exit 1
// expect: last FALSE(valid-free)
#include <stdlib.h>
extern _Bool button(void);
int main(void)
{
    char *p = malloc(4);
    free(p);
    if (button())
        free(p);
    return 0;
}
