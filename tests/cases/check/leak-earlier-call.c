// A variable that is not written yet holds nothing of what an earlier call left behind.
// args: check --engine simulate --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdlib.h>
static void first(void)
{
    char *held = malloc(4);
    *held = 1;
}
static void second(int n)
{
    if (n)
        abort();
    char *later = malloc(4);
    free(later);
}
int main(void)
{
    first();
    second(1);
}
