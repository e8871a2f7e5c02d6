// args: run --seed 5 --checks assertion
// expect: last exited with status 0
#include <math.h>
#include <assert.h>
int main(void)
{
    for (int i = -10; i < 10; i++) {
        double x = i / 3.0;
        assert(sin(x) >= -1 && sin(x) <= 1);
        assert(cosf(x) >= -1 && cosf(x) <= 1);
        assert(exp(x) >= 0);
        assert(fabs(atan(x)) < 1.58);
        assert(x <= 0 || !isnan(log(x)));
        assert(x >= 0 || isnan(log(x)));
        assert(hypot(x, 4) >= 4);
        assert(pow(x, 2) >= 0);
        assert(fabsl(tanhl(x)) <= 1);
    }
    assert(sin(0) == 0 && cos(0) == 1 && exp(0) == 1 && log(1) == 0 && pow(3, 0) == 1 && pow(0, 3) == 0 && pow(7, 1) == 7);
    assert(isnan(sin(INFINITY)) && isinf(log(0)) && isnan(asin(2)));
    return 0;
}
