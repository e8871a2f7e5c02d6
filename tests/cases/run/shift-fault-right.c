// expect: exit 2
// expect: stdout before
// expect: no-stdout after
// expect: stdout fault: shift count
#include <stdio.h>

/* A negative count is too large for every width; an operand that is not needed does not fault. */
static volatile int minus = -1, wide = 70;

int main(void)
{
    int is_wide = wide > 63 || 1ull >> wide == 0;
    unsigned long long x = wide < 64 ? 1ull << wide : 7;
    printf("before %d %llu\n", is_wide, x);
    x = x >> minus;
    printf("after %llu\n", x);
    return 0;
}
