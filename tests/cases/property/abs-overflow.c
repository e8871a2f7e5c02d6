// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

#include <stdlib.h>

int main(void)
{
    int x = -2147483647 - 1;
    abs(x);
    return 0;
}
