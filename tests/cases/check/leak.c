// args: check --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdlib.h>
extern _Bool button(void);
int main(void)
{
    char *p = malloc(4);
    if (button())
        free(p);
    return 0;
}
