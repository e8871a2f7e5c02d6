// What was passed is gone once it is in the parameter's own place, also in recursion.
// args: check --engine symex --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdlib.h>

static void down(char *volatile given, int n)
{
    given = 0;
    if (n == 0)
        exit(1);
    down(malloc(1), n - 1);
}

int main(void)
{
    down(0, 2);
    return 0;
}
