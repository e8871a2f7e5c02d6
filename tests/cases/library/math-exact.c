// gcc: yes
#include <stdio.h>
#include <math.h>
int main(void)
{
    double v[] = { 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 2.7, -2.7, 1e15 + 0.5, 1e300, -1e-300, INFINITY, -INFINITY, NAN };
    for (int i = 0; i < 15; i++) {
        double x = v[i], ip = 0;
        int e = 0;
        printf("%g %g %g %g %g|", floor(x), ceil(x), round(x), trunc(x), rint(x));
        printf("%d %d %d %d %d|", !!isnan(x), !!isinf(x), !!isfinite(x), !!signbit(x), fpclassify(x) == FP_NORMAL);
        if (x == x && !isinf(x)) printf("%g %g|%g %d|%g", modf(x, &ip), ip, frexp(x, &e), e, ldexp(x, 3));
        printf("%g %g %g\n", fmin(x, 1), fmax(x, 1), fabs(copysign(x, -1)));
    }
    printf("%g %g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), remainder(7.5, 2), remainder(5, 2));
    printf("%.17g %.17g %g\n", sqrt(2), fma(0.1, 10, -1), fdim(3, 5));
    printf("%ld %lld %ld\n", lround(2.5), llround(-2.5), lrint(2.5));
    printf("%.9g %.9g %.20Lg\n", sqrtf(2), floorf(-1.5f), sqrtl(2));
    printf("%g %g %g\n", ldexp(1, -1074), ldexp(3, -1075), scalbn(1, 2000));
    printf("%a %a\n", nextafter(1, 2), nextafterf(0, -1));
    printf("%d %g\n", ilogb(10), logb(0.1));
    return 0;
}
