// gcc: yes
// expect: stdout remainder(inf, 2) 1 1
#include <math.h>
#include <stdio.h>

static volatile double large = 1e308, two = 2, zero = 0, one = 1, minus = -1;

static void show(const char *what, double x) { printf("%s %d %d\n", what, isnan(x) != 0, signbit(x) != 0); }

int main(void)
{
    double inf = large * 10, nan = -(inf - inf);
    int e;
    show("remainder(inf, 2)", remainder(inf, two));
    show("remainder(1, 0)", remainder(one, zero));
    show("remainder(-inf, 2)", remainder(-inf, two));
    show("remainder(1, nan)", remainder(one, nan));
    show("remainder(-nan, 1)", remainder(-nan, one));
    show("fmod(inf, 2)", fmod(inf, two));
    show("fmod(1, 0)", fmod(one, zero));
    show("fmod(-nan, 1)", fmod(-nan, one));
    show("fmod(1, -nan)", fmod(one, -nan));
    show("sqrt(-1)", sqrt(minus));
    show("fdim(nan, 1)", fdim(nan, one));
    show("fdim(1, -nan)", fdim(one, -nan));
    show("nextafter(-nan, 1)", nextafter(-nan, one));
    show("fmax(nan, -nan)", fmax(nan, -nan));
    show("remainderf(inf, 2)", remainderf((float)inf, (float)two));
    show("fmodf(inf, 2)", fmodf((float)inf, (float)two));
    show("remainderl(inf, 2)", (double)remainderl(inf, two));
    show("fmodl(inf, 2)", (double)fmodl(inf, two));
    show("remainderl(1, 0)", (double)remainderl(one, zero));
    show("sqrtl(-1)", (double)sqrtl(minus));
    show("infl - infl", (double)((long double)inf - (long double)inf));
    show("frexp(-nan)", frexp(-nan, &e));
    return 0;
}
