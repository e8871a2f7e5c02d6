// args: run --checks leak
// expect: exit 1
// verdict: FALSE(valid-memtrack)
// expect: stdout violated: leak

#include <stdlib.h>

static void lose(void)
{
    int *p = malloc(4);
    *p = 1;
}

static void stop(int *kept)
{
    *kept = 1;
    exit(0);
}

int main(void)
{
    int *p = malloc(4);
    lose();
    stop(p);
}
