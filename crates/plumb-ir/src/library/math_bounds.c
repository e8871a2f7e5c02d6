/* <math.h>, once for each real type (see math.c): the functions whose results differ between libraries. Nothing is known
 * of them but the exact special cases and bounds that hold for every faithful implementation; within those the result is
 * an input of the program. */

/* An arbitrary number between two bounds: choices beyond them count as the bounds, so that no run is lost. */
static REAL __plumb_between_R(REAL low, REAL r, REAL high)
{
    if (!(r >= low))
        return low;
    return r > high ? high : r;
}

/* A result that does not exist. */
static REAL __plumb_no_result_R(REAL x)
{
    if (!__builtin_isnan(x))
        __plumb_domain_error();
    return __builtin_nan_R("");
}

static REAL __plumb_smaller_R(REAL x, REAL y)
{
    REAL size = __builtin_fabs_R(x);
    return size < y ? size : y;
}

/* An arbitrary number on the side of zero that the sign of x says, of that size at most. */
static REAL __plumb_signed_like_R(REAL x, REAL r, REAL most)
{
    return x > 0 ? __plumb_between_R(0, r, most) : __plumb_between_R(-most, r, 0);
}

REAL sin_R(REAL x)
{
    if (x == 0)
        return x;
    if (!__finite_R(x))
        return __plumb_no_result_R(x);
    return __plumb_between_R(-__plumb_smaller_R(x, 1), __plumb_nondet_real_R(), __plumb_smaller_R(x, 1));
}

REAL cos_R(REAL x)
{
    if (x == 0)
        return 1;
    if (!__finite_R(x))
        return __plumb_no_result_R(x);
    return __plumb_between_R(-1, __plumb_nondet_real_R(), 1);
}

void sincos_R(REAL x, REAL *s, REAL *c)
{
    *s = sin_R(x);
    *c = cos_R(x);
}

REAL tan_R(REAL x)
{
    REAL r;
    if (x == 0)
        return x;
    if (!__finite_R(x))
        return __plumb_no_result_R(x);
    r = __plumb_nondet_real_R();
    return __finite_R(r) ? r : 0;
}

REAL asin_R(REAL x)
{
    if (x == 0)
        return x;
    if (!(x >= -1 && x <= 1))
        return __plumb_no_result_R(x);
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), (REAL)1.5708L);
}

REAL acos_R(REAL x)
{
    if (x == 1)
        return 0;
    if (!(x >= -1 && x <= 1))
        return __plumb_no_result_R(x);
    return __plumb_between_R(0, __plumb_nondet_real_R(), (REAL)3.1416L);
}

REAL atan_R(REAL x)
{
    if (x == 0 || __builtin_isnan(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), __plumb_smaller_R(x, (REAL)1.5708L));
}

REAL atan2_R(REAL y, REAL x)
{
    REAL r = __plumb_nondet_real_R();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan_R("");
    return __builtin_signbit(y) ? __plumb_between_R((REAL)-3.1416L, r, 0) : __plumb_between_R(0, r, (REAL)3.1416L);
}

REAL sinh_R(REAL x)
{
    if (x == 0 || !__finite_R(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), __builtin_inf_R());
}

REAL cosh_R(REAL x)
{
    if (x == 0)
        return 1;
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return __builtin_inf_R();
    return __plumb_between_R(1, __plumb_nondet_real_R(), __builtin_inf_R());
}

REAL tanh_R(REAL x)
{
    if (x == 0 || __builtin_isnan(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), __plumb_smaller_R(x, 1));
}

REAL asinh_R(REAL x)
{
    if (x == 0 || !__finite_R(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), 11400);
}

REAL acosh_R(REAL x)
{
    if (!(x >= 1))
        return __plumb_no_result_R(x);
    if (x == 1)
        return 0;
    if (__builtin_isinf(x))
        return x;
    return __plumb_between_R(0, __plumb_nondet_real_R(), 11400);
}

REAL atanh_R(REAL x)
{
    if (x == 0)
        return x;
    if (!(x >= -1 && x <= 1))
        return __plumb_no_result_R(x);
    if (x == 1 || x == -1)
        return __builtin_copysign_R(__builtin_inf_R(), x);
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), 64);
}

/* Of every exponential function: 1 at 0, above it to the right, between 0 and 1 to the left. */
static REAL __plumb_exponential_R(REAL x, REAL r)
{
    if (x == 0)
        return 1;
    if (__builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return x > 0 ? x : 0;
    r = x > 0 ? __plumb_between_R(1, r, __builtin_inf_R()) : __plumb_between_R(0, r, 1);
    if (r == 0 || __builtin_isinf(r))
        __plumb_range_error();
    return r;
}

REAL exp_R(REAL x) { return __plumb_exponential_R(x, __plumb_nondet_real_R()); }
REAL exp2_R(REAL x) { return __plumb_exponential_R(x, __plumb_nondet_real_R()); }
REAL exp10_R(REAL x) { return __plumb_exponential_R(x, __plumb_nondet_real_R()); }

REAL expm1_R(REAL x)
{
    REAL r = __plumb_nondet_real_R();
    if (x == 0 || __builtin_isnan(x))
        return x;
    if (__builtin_isinf(x))
        return x > 0 ? x : -1;
    return x > 0 ? __plumb_between_R(0, r, __builtin_inf_R()) : __plumb_between_R(-1, r, 0);
}

/* Of every logarithm: 0 at 1, `most` in size for finite numbers. */
static REAL __plumb_logarithm_R(REAL x, REAL r, REAL most)
{
    if (x == 1)
        return 0;
    if (x == 0) {
        __plumb_range_error();
        return -__builtin_inf_R();
    }
    if (__builtin_isnan(x) || x < 0)
        return __plumb_no_result_R(x);
    if (__builtin_isinf(x))
        return x;
    return x > 1 ? __plumb_between_R(0, r, most) : __plumb_between_R(-most, r, 0);
}

REAL log_R(REAL x) { return __plumb_logarithm_R(x, __plumb_nondet_real_R(), 11400); }
REAL log2_R(REAL x) { return __plumb_logarithm_R(x, __plumb_nondet_real_R(), 16446); }
REAL log10_R(REAL x) { return __plumb_logarithm_R(x, __plumb_nondet_real_R(), 4951); }

REAL log1p_R(REAL x)
{
    if (x == 0)
        return x;
    if (x == -1) {
        __plumb_range_error();
        return -__builtin_inf_R();
    }
    if (__builtin_isnan(x) || x < -1)
        return __plumb_no_result_R(x);
    if (__builtin_isinf(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), 11400);
}

/* Whether y is an odd integer. */
static int __plumb_is_odd_R(REAL y)
{
    REAL half = y * (REAL)0.5L;
    return __builtin_trunc_R(y) == y && __builtin_trunc_R(half) != half;
}

/* The special cases of C11 F.10.4.4; elsewhere the sign and the side of 1. */
REAL pow_R(REAL x, REAL y)
{
    REAL r = __builtin_fabs_R(__plumb_nondet_real_R()), size = __builtin_fabs_R(x);
    int negative = __builtin_signbit(x) && __plumb_is_odd_R(y);
    int large = (size > 1) == (y > 0);
    if (y == 0 || x == 1)
        return 1;
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan_R("");
    if (y == 1)
        return x;
    if (size == 1 && __builtin_trunc_R(y) == y)
        return negative ? -1 : 1;
    if (x < 0 && __finite_R(x) && __builtin_trunc_R(y) != y)
        return __plumb_no_result_R(x);
    if (size == 0 && y < 0)
        __plumb_range_error();
    if (size == 0 || __builtin_isinf(x) || __builtin_isinf(y))
        r = large ? __builtin_inf_R() : 0;
    else
        r = large ? __plumb_between_R(1, r, __builtin_inf_R()) : __plumb_between_R(0, r, 1);
    return negative ? -r : r;
}

REAL cbrt_R(REAL x)
{
    REAL r = __builtin_fabs_R(__plumb_nondet_real_R()), size = __builtin_fabs_R(x);
    if (x == 0 || size == 1 || !__finite_R(x))
        return x;
    r = size > 1 ? __plumb_between_R(1, r, size) : __plumb_between_R(size, r, 1);
    return __builtin_copysign_R(r, x);
}

REAL hypot_R(REAL x, REAL y)
{
    REAL a = __builtin_fabs_R(x), b = __builtin_fabs_R(y);
    if (__builtin_isinf(x) || __builtin_isinf(y))
        return __builtin_inf_R();
    if (__builtin_isnan(x) || __builtin_isnan(y))
        return __builtin_nan_R("");
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    /* At most the square root of two times the larger; a half more leaves room for rounding tiny numbers. */
    if (a < b)
        a = b;
    return __plumb_between_R(a, __plumb_nondet_real_R(), a * (REAL)1.5L);
}

REAL erf_R(REAL x)
{
    if (x == 0 || __builtin_isnan(x))
        return x;
    return __plumb_signed_like_R(x, __plumb_nondet_real_R(), 1);
}

REAL erfc_R(REAL x)
{
    REAL r = __plumb_nondet_real_R();
    if (__builtin_isnan(x))
        return x;
    return x > 0 ? __plumb_between_R(0, r, 1) : __plumb_between_R(1, r, 2);
}

REAL tgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    return __plumb_nondet_real_R();
}

REAL lgamma_R(REAL x)
{
    if (__builtin_isnan(x))
        return x;
    return __plumb_nondet_real_R();
}
