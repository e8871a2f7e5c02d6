// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

#include <limits.h>
#include <stdlib.h>

int main(void)
{
    long (*f)(long) = labs;
    if (f(-LONG_MAX) != LONG_MAX)
        abort();
    f(LONG_MIN);
    return 0;
}
