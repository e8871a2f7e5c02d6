/* <math.h>: the functions that look at a number's bits, and the rounding mode. */

float nextafterf(float x, float y)
{
    union { float f; unsigned long u; } v;
    v.u = 0;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        v.u = 1;
        return y < 0 ? -v.f : v.f;
    }
    v.f = x;
    v.u = (x < y) == (x > 0) ? v.u + 1 : v.u - 1;
    return v.f;
}

double nextafter(double x, double y)
{
    union { double f; unsigned long long u; } v;
    if (sizeof(double) == 4)
        return nextafterf(x, y);
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        v.u = 1;
        return y < 0 ? -v.f : v.f;
    }
    v.f = x;
    v.u = (x < y) == (x > 0) ? v.u + 1 : v.u - 1;
    return v.f;
}

/* Only round-to-nearest is modelled. */
int fegetround(void) { return 0; }

int fesetround(int mode)
{
    if (mode != 0)
        __plumb_unsupported("rounding modes other than to nearest");
    return 0;
}

int feclearexcept(int which) { (void)which; return 0; }
int fetestexcept(int which)
{
    (void)which;
    __plumb_unsupported("which floating-point exceptions were raised");
}
