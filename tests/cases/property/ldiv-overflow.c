// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

#include <limits.h>
#include <stdlib.h>

int main(void)
{
    ldiv_t r = ldiv(LONG_MIN, -1);
    (void)r;
    return 0;
}
