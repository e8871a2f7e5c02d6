/* <math.h>, once for each of float, double and long double: REAL is the type and _R the suffix of the names; MIN_EXP_R,
 * MAX_EXP_R and DIGITS_R are the format's limits as <float.h> counts them.
 *
 * These are the functions that IEEE 754 makes exact; math_bounds.c has the others. */

/* --- exact: rounding, remainders, signs --- */

REAL fabs_R(REAL x) { return __builtin_fabs_R(x); }
REAL floor_R(REAL x) { return __builtin_floor_R(x); }
REAL ceil_R(REAL x) { return __builtin_ceil_R(x); }
REAL trunc_R(REAL x) { return __builtin_trunc_R(x); }
REAL round_R(REAL x) { return __builtin_round_R(x); }
REAL rint_R(REAL x) { return __builtin_rint_R(x); }
REAL nearbyint_R(REAL x) { return __builtin_rint_R(x); }
REAL roundeven_R(REAL x) { return __builtin_rint_R(x); }
REAL copysign_R(REAL x, REAL y) { return __builtin_copysign_R(x, y); }
REAL fma_R(REAL x, REAL y, REAL z) { return __builtin_fma_R(x, y, z); }
REAL nan_R(const char *tag) { (void)tag; return __builtin_nan_R(""); }

static int __plumb_open_sign(int likely);

/* Which of two zeros of different signs is the smaller, C and IEEE 754 leave open: glibc for x86 returns the second. */
static int __plumb_first_zero_R(REAL x, REAL y)
{
    return x == 0 && y == 0 && !__builtin_signbit(x) != !__builtin_signbit(y) && __plumb_open_sign(1) != 1;
}

REAL fmin_R(REAL x, REAL y) { return __plumb_first_zero_R(x, y) ? x : __builtin_fmin_R(x, y); }
REAL fmax_R(REAL x, REAL y) { return __plumb_first_zero_R(x, y) ? x : __builtin_fmax_R(x, y); }

REAL sqrt_R(REAL x)
{
    if (x < 0)
        __plumb_domain_error();
    return __builtin_sqrt_R(x);
}

/* A remainder by zero, or of an infinity, does not exist. */
static void __plumb_remainder_error_R(REAL x, REAL y)
{
    if ((y == 0 || __builtin_isinf(x)) && !__builtin_isnan(x) && !__builtin_isnan(y))
        __plumb_domain_error();
}

REAL fmod_R(REAL x, REAL y)
{
    __plumb_remainder_error_R(x, y);
    return __builtin_fmod_R(x, y);
}

REAL remainder_R(REAL x, REAL y)
{
    __plumb_remainder_error_R(x, y);
    return __builtin_remainder_R(x, y);
}

REAL drem_R(REAL x, REAL y) { return remainder_R(x, y); }

long lround_R(REAL x) { return (long)__builtin_round_R(x); }
long long llround_R(REAL x) { return (long long)__builtin_round_R(x); }
long lrint_R(REAL x) { return (long)__builtin_rint_R(x); }
long long llrint_R(REAL x) { return (long long)__builtin_rint_R(x); }

REAL fdim_R(REAL x, REAL y)
{
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return x - y;
    if (x <= y)
        return 0;
    if (__builtin_isinf(x - y) && !__builtin_isinf(x) && !__builtin_isinf(y))
        __plumb_range_error();
    return x - y;
}

REAL modf_R(REAL x, REAL *whole)
{
    REAL t = __builtin_trunc_R(x);
    *whole = t;
    return __builtin_copysign_R(__builtin_isinf(x) ? 0 : x - t, x);
}

/* --- exact: the parts of a number --- */

/* Multiplications by powers of two are exact while the result is normal. */
REAL frexp_R(REAL x, int *exponent)
{
    REAL m = __builtin_fabs_R(x);
    int e = 0;
    *exponent = 0;
    if (m == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    while (m >= 4294967296.0L) {
        m = m * (REAL)(1.0L / 4294967296.0L);
        e = e + 32;
    }
    while (m >= 1) {
        m = m * (REAL)0.5L;
        e = e + 1;
    }
    while (m < (REAL)(1.0L / 4294967296.0L)) {
        m = m * (REAL)4294967296.0L;
        e = e - 32;
    }
    while (m < (REAL)0.5L) {
        m = m * 2;
        e = e - 1;
    }
    *exponent = e;
    return __builtin_copysign_R(m, x);
}

/* 2 to a power for which the result is a normal number. */
static REAL __plumb_power_of_two_R(int exponent)
{
    REAL p = 1;
    while (exponent >= 32) {
        p = p * (REAL)4294967296.0L;
        exponent = exponent - 32;
    }
    while (exponent > 0) {
        p = p * 2;
        exponent = exponent - 1;
    }
    while (exponent <= -32) {
        p = p * (REAL)(1.0L / 4294967296.0L);
        exponent = exponent + 32;
    }
    while (exponent < 0) {
        p = p * (REAL)0.5L;
        exponent = exponent + 1;
    }
    return p;
}

/* At most the last multiplication rounds: an intermediate result is either normal or the final one. */
REAL scalbln_R(REAL x, long n)
{
    REAL m;
    int e;
    long target;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    m = frexp_R(x, &e);
    if (n > 4L * MAX_EXP_R)
        n = 4L * MAX_EXP_R;
    if (n < 4L * (MIN_EXP_R) - 4L * DIGITS_R)
        n = 4L * (MIN_EXP_R) - 4L * DIGITS_R;
    target = n + e;
    if (target > MAX_EXP_R || target < MIN_EXP_R - DIGITS_R - 1)
        __plumb_range_error();
    if (target > MAX_EXP_R)
        return __builtin_copysign_R(__builtin_inf_R(), x);
    if (target >= MIN_EXP_R)
        return m * 2 * __plumb_power_of_two_R((int)target - 1);
    if (target < MIN_EXP_R - DIGITS_R - 1)
        return __builtin_copysign_R(0, x);
    m = m * __plumb_power_of_two_R(MIN_EXP_R) * __plumb_power_of_two_R((int)target - (MIN_EXP_R));
    if (m == 0)
        __plumb_range_error();
    return m;
}

REAL scalbn_R(REAL x, int n) { return scalbln_R(x, n); }
REAL ldexp_R(REAL x, int n) { return scalbln_R(x, n); }

int ilogb_R(REAL x)
{
    int e;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x)) {
        __plumb_domain_error();
        return __builtin_isinf(x) ? (int)(~0u >> 1) : (int)(~0u ^ (~0u >> 1));
    }
    frexp_R(x, &e);
    return e - 1;
}

REAL logb_R(REAL x)
{
    if (x == 0)
        return -__builtin_inf_R();
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return __builtin_inf_R();
    return ilogb_R(x);
}

/* --- classification, as glibc numbers the classes --- */

int __fpclassify_R(REAL x)
{
    if (__builtin_isnan(x))
        return 0;
    if (__builtin_isinf(x))
        return 1;
    if (x == 0)
        return 2;
    return __builtin_isnormal(x) ? 4 : 3;
}

int __isnan_R(REAL x) { return __builtin_isnan(x) != 0; }
int __isinf_R(REAL x) { return __builtin_isinf(x) ? (x < 0 ? -1 : 1) : 0; }
int __finite_R(REAL x) { return !__builtin_isnan(x) && !__builtin_isinf(x); }
int __signbit_R(REAL x) { return __builtin_signbit(x) != 0; }
int isnan_R(REAL x) { return __isnan_R(x); }
int isinf_R(REAL x) { return __isinf_R(x); }
int finite_R(REAL x) { return __finite_R(x); }
int isfinite_R(REAL x) { return __finite_R(x); }
int isnormal_R(REAL x) { return __fpclassify_R(x) == 4; }
int signbit_R(REAL x) { return __signbit_R(x); }
int fpclassify_R(REAL x) { return __fpclassify_R(x); }

/* --- powers by repeated multiplication --- */

/* `__builtin_powi`, as libgcc computes it (__powidf2). */
REAL __plumb_powi_R(REAL x, int n)
{
    unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    REAL power = left % 2 ? x : 1;
    while (left >>= 1) {
        x = x * x;
        if (left % 2)
            power *= x;
    }
    return n < 0 ? 1 / power : power;
}

static REAL __plumb_exact_product_R(REAL x, REAL y)
{
    REAL product = x * y;
    if (__builtin_fma_R(x, y, -product) != 0)
        __plumb_unsupported("how the compiler rounds __builtin_powi of constants is not known");
    return product;
}

/* The same of constants, which compilers compute with more digits: the two agree where no product is rounded. */
REAL __plumb_folded_powi_R(REAL x, int n)
{
    unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    REAL power = left % 2 ? x : 1;
    while (left >>= 1) {
        x = __plumb_exact_product_R(x, x);
        if (left % 2)
            power = __plumb_exact_product_R(power, x);
    }
    return n < 0 ? 1 / power : power;
}
