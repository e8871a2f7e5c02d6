// args: run --checks leak
// expect: exit 1
// verdict: FALSE(valid-memtrack)
// expect: stdout violated: leak

#include <stdlib.h>

static void forget(int *given)
{
    *given = 1;
    given = 0;
    abort();
}

int main(void)
{
    forget(malloc(4));
}
