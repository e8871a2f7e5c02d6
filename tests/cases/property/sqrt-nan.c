// args: run --checks float-nan
// expect: exit 1
// verdict: FALSE(float-nan)
// expect: stdout violated: float-nan

#include <math.h>

int main(void)
{
    double x = -1;
    x = sqrt(x);
    return 0;
}
