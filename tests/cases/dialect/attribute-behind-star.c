// An attribute of the function may stand behind the `*` of what it returns.
// gcc: yes
#include <stdio.h>
#include <stdlib.h>
static int table[2] = {3, 4};
extern __inline int *__attribute__((__gnu_inline__, __always_inline__)) first(void) { return table; }
int *__attribute__((constructor)) fill(void)
{
    table[0] = 7;
    return 0;
}
int main(void)
{
    printf("%d\n", *first());
    return 0;
}
