// arch: 64
// gcc: yes
#include <stdio.h>
#include <float.h>
#include <math.h>
int main(void)
{
    double d = 0.1; float f = 0.1f; long double e = 0.1L;
    printf("%.17g %.9g %.20Lg\n", d, f, e);
    printf("%d %d %d\n", d == f, (float)d == f, d + 0.2 == 0.3);
    printf("%.17g %.17g %.17g\n", 1.0 / 3, 2.0 / 3 * 3, 1e308 * 10);
    printf("%d %d %d %d\n", (int)2.9, (int)-2.9, (unsigned char)200.7, (int)(float)16777217);
    printf("%.17g %.9g\n", (double)(1ULL << 63), (float)123456789);
    double nan = 0.0 / 0.0, inf = 1 / 0.0;
    printf("%d %d %d %d %d\n", nan == nan, nan < 1, !(nan >= 1), inf > DBL_MAX, -inf < 0);
    printf("%d %d\n", 0.0 == -0.0, 1 / -0.0 < 0);
    printf("%g %g %g\n", DBL_MIN / 2, FLT_MIN / 8, DBL_EPSILON);
    f = 16777216.0f; f += 1; printf("%.1f\n", f);
    float x = 1e10f, y = 1e-10f; printf("%.9g %.9g\n", x * y, (x + y) - x);
    d = 5; d /= 2; d -= 0.25; d++; printf("%g\n", d);
    int i = 7; i *= 1.5; i += 0.9; printf("%d\n", i);
    unsigned long long big = 0xfffffffffffffbffULL; printf("%.1f %.1Lf\n", (double)big, (long double)big);
    printf("%d %d\n", (_Bool)0.1, (_Bool)0.0);
    printf("%.3a %g\n", 1.0, 0x1.8p3);
    e = 1; for (int k = 0; k < 70; k++) e /= 2; printf("%d %Lg\n", 1 + e == 1, e);
    printf("%g %g %g\n", floor(-2.5), round(2.5), fmod(-7, 3));
    printf("%g %g %g\n", sqrt(2), fabs(-3), trunc(-2.7));
    return 0;
}
