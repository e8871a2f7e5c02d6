// args: run --checks float-nan
// expect: exit 1
// verdict: FALSE(float-nan)
// expect: stdout violated: float-nan

#include <math.h>

int main(void)
{
    float x = 2;
    acosf(x);
    return 0;
}
