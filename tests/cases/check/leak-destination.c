// The result of a call that does not return would have replaced what only a temporary still points to.
// args: check --engine bmc --checks leak
// expect: exit 2
// expect: stdout the program ends while only
// expect: last UNKNOWN
#include <stdlib.h>
extern _Bool more(void);
static void *get(int n)
{
    if (n > 0)
        abort();
    return malloc(4);
}
int main(void)
{
    int n = 0;
    while (get(n++)) ;
    return 0;
}
