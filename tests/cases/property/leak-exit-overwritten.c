// args: run --checks leak
// expect: exit 1
// verdict: FALSE(valid-memtrack)
// expect: stdout violated: leak

/* What only the compiler's temporaries still point to is lost. */
#include <stdlib.h>

static int *held;

static void stop(void)
{
    exit(0);
}

int main(void)
{
    held = malloc(4);
    held = 0;
    stop();
}
