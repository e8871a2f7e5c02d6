/* <stdlib.h>: numbers from text. Integers are exact for every text; decimal fractions are exact where one rounding
 * suffices, and unsupported elsewhere. */

static int __plumb_is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The value of a digit in any base up to 36, or 36. */
static int __plumb_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* The number that a text starts with: its magnitude (all ones when it does not fit 64 bits), its sign, and where it
 * ends, which is `text` itself when there is none. */
struct __plumb_number {
    unsigned long long magnitude;
    int negative, overflow;
    const char *end;
};

static struct __plumb_number __plumb_read_number(const char *text, int base)
{
    struct __plumb_number n;
    const char *s = text;
    int digit;
    n.magnitude = 0;
    n.negative = 0;
    n.overflow = 0;
    n.end = text;
    if (base < 0 || base == 1 || base > 36) {
        __plumb_errno = 22; /* EINVAL */
        return n;
    }
    while (__plumb_is_space(*s))
        s++;
    if (*s == '+' || *s == '-') {
        n.negative = *s == '-';
        s++;
    }
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && __plumb_digit(s[2]) < 16) {
        s = s + 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    while ((digit = __plumb_digit(*s)) < base) {
        if (n.magnitude > (~0ULL - digit) / base)
            n.overflow = 1;
        n.magnitude = n.magnitude * base + digit;
        s++;
        n.end = s;
    }
    if (n.overflow)
        n.magnitude = ~0ULL;
    return n;
}

/* Clamped to `limit` (the largest value; one more counts below zero). */
static long long __plumb_signed_value(struct __plumb_number n, unsigned long long limit)
{
    if (n.magnitude > limit + n.negative) {
        __plumb_range_error();
        return n.negative ? -(long long)limit - 1 : (long long)limit;
    }
    return n.negative ? (long long)(0 - n.magnitude) : (long long)n.magnitude;
}

static unsigned long long __plumb_unsigned_value(struct __plumb_number n, unsigned long long limit)
{
    if (n.overflow || n.magnitude > limit) {
        __plumb_range_error();
        return limit;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

long strtol(const char *text, char **end, int base)
{
    struct __plumb_number n = __plumb_read_number(text, base);
    if (end)
        *end = (char *)n.end;
    return __plumb_signed_value(n, ~0UL >> 1);
}

long long strtoll(const char *text, char **end, int base)
{
    struct __plumb_number n = __plumb_read_number(text, base);
    if (end)
        *end = (char *)n.end;
    return __plumb_signed_value(n, ~0ULL >> 1);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    struct __plumb_number n = __plumb_read_number(text, base);
    if (end)
        *end = (char *)n.end;
    return __plumb_unsigned_value(n, ~0UL);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    struct __plumb_number n = __plumb_read_number(text, base);
    if (end)
        *end = (char *)n.end;
    return __plumb_unsigned_value(n, ~0ULL);
}

int atoi(const char *text) { return (int)strtol(text, 0, 10); }
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
long long __strtoll_internal(const char *text, char **end, int base, int group) { return strtoll(text, end, base); }
long __strtol_internal(const char *text, char **end, int base, int group) { return strtol(text, end, base); }
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

/* A decimal fraction with at most 15 digits (6 where double is narrow) and a power of ten that is itself exact needs
 * one operation and so one rounding: the result is the nearest number. */
double strtod(const char *text, char **end)
{
    const char *s = text;
    unsigned long long digits = 0, most = sizeof(double) == 4 ? 1000000ULL : 1000000000000000ULL;
    int max_power = sizeof(double) == 4 ? 10 : 22;
    int negative = 0, any = 0, power = 0, too_long = 0;
    double value, scale = 1;
    while (__plumb_is_space(*s))
        s++;
    if (*s == '+' || *s == '-') {
        negative = *s == '-';
        s++;
    }
    if (((*s == 'i' || *s == 'I') && (s[1] == 'n' || s[1] == 'N')) ||
        ((*s == 'n' || *s == 'N') && (s[1] == 'a' || s[1] == 'A')) || (*s == '0' && (s[1] == 'x' || s[1] == 'X')))
        __plumb_unsupported("strtod on infinities, NaNs and hexadecimal fractions");
    while (*s >= '0' && *s <= '9') {
        any = 1;
        if (digits >= most)
            too_long = 1;
        else
            digits = digits * 10 + (*s - '0');
        s++;
    }
    if (*s == '.' && (any || (s[1] >= '0' && s[1] <= '9'))) {
        s++;
        while (*s >= '0' && *s <= '9') {
            any = 1;
            if (digits >= most) {
                too_long = too_long || *s != '0';
            } else {
                digits = digits * 10 + (*s - '0');
                power--;
            }
            s++;
        }
    }
    if (!any) {
        if (end)
            *end = (char *)text;
        return 0;
    }
    if (*s == 'e' || *s == 'E') {
        const char *after = s + 1;
        int exponent = 0, down = 0;
        if (*after == '+' || *after == '-') {
            down = *after == '-';
            after++;
        }
        if (*after >= '0' && *after <= '9') {
            while (*after >= '0' && *after <= '9') {
                if (exponent < 10000)
                    exponent = exponent * 10 + (*after - '0');
                after++;
            }
            s = after;
            power = down ? power - exponent : power + exponent;
        }
    }
    if (end)
        *end = (char *)s;
    while (digits != 0 && digits % 10 == 0) {
        digits = digits / 10;
        power++;
    }
    if (digits == 0 && !too_long)
        return negative ? -0.0 : 0.0;
    if (too_long || power > max_power || power < -max_power)
        __plumb_unsupported("strtod on decimal fractions that need more than one rounding");
    value = (double)digits;
    for (int i = power < 0 ? -power : power; i > 0; i--)
        scale = scale * 10;
    value = power < 0 ? value / scale : value * scale;
    return negative ? -value : value;
}

double atof(const char *text) { return strtod(text, 0); }

float strtof(const char *text, char **end)
{
    double value = strtod(text, end);
    if ((double)(float)value != value)
        __plumb_unsupported("strtof on decimal fractions that are not exact");
    return (float)value;
}

long double strtold(const char *text, char **end)
{
    double value = strtod(text, end);
    if (__builtin_trunc(value) != value)
        __plumb_unsupported("strtold on decimal fractions");
    return value;
}
