// args: run --checks float-nan
// expect: exit 1
// expect: stdout violated: float-nan

#include <math.h>

int main(void)
{
    float x = 2;
    acosf(x);
    return 0;
}
