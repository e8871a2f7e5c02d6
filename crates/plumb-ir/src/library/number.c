/* <stdlib.h>: whole numbers from text. decimal.c has the others. */

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
 * ends, which is `text` itself when there is none. C23 has the prefix `0b`. */
struct __plumb_number {
    unsigned long long magnitude;
    int negative, overflow;
    const char *end;
};

static struct __plumb_number __plumb_read_number(const char *text, int base, int is_c23)
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
    } else if (is_c23 && (base == 0 || base == 2) && s[0] == '0' && (s[1] == 'b' || s[1] == 'B') && __plumb_digit(s[2]) < 2) {
        s = s + 2;
        base = 2;
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

static long long __plumb_read_signed(const char *text, char **end, int base, int is_c23, unsigned long long limit)
{
    struct __plumb_number n = __plumb_read_number(text, base, is_c23);
    if (end)
        *end = (char *)n.end;
    return __plumb_signed_value(n, limit);
}

static unsigned long long __plumb_read_unsigned(const char *text, char **end, int base, int is_c23, unsigned long long limit)
{
    struct __plumb_number n = __plumb_read_number(text, base, is_c23);
    if (end)
        *end = (char *)n.end;
    return __plumb_unsigned_value(n, limit);
}

long strtol(const char *text, char **end, int base) { return __plumb_read_signed(text, end, base, 0, ~0UL >> 1); }
long long strtoll(const char *text, char **end, int base) { return __plumb_read_signed(text, end, base, 0, ~0ULL >> 1); }
unsigned long strtoul(const char *text, char **end, int base) { return __plumb_read_unsigned(text, end, base, 0, ~0UL); }

unsigned long long strtoull(const char *text, char **end, int base)
{
    return __plumb_read_unsigned(text, end, base, 0, ~0ULL);
}

int atoi(const char *text) { return (int)strtol(text, 0, 10); }
long atol(const char *text) { return strtol(text, 0, 10); }
long long atoll(const char *text) { return strtoll(text, 0, 10); }
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
long long __strtoll_internal(const char *text, char **end, int base, int group) { return strtoll(text, end, base); }
long __strtol_internal(const char *text, char **end, int base, int group) { return strtol(text, end, base); }
unsigned long __strtoul_internal(const char *text, char **end, int base, int group) { return strtoul(text, end, base); }

unsigned long long __strtoull_internal(const char *text, char **end, int base, int group)
{
    return strtoull(text, end, base);
}

/* What the headers of C23 lead to. */

long __isoc23_strtol(const char *text, char **end, int base)
{
    return __plumb_read_signed(text, end, base, 1, ~0UL >> 1);
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    return __plumb_read_signed(text, end, base, 1, ~0ULL >> 1);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    return __plumb_read_unsigned(text, end, base, 1, ~0UL);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    return __plumb_read_unsigned(text, end, base, 1, ~0ULL);
}

long long __isoc23_strtoimax(const char *text, char **end, int base) { return __isoc23_strtoll(text, end, base); }
unsigned long long __isoc23_strtoumax(const char *text, char **end, int base) { return __isoc23_strtoull(text, end, base); }

/* Numbers as text, as avr-libc and newlib have them: only radix 10 knows a sign. */

static char *__plumb_number_text(char *to, unsigned long magnitude, _Bool negative, int radix)
{
    char *at = to, *first;
    if (radix < 2 || radix > 36)
        __plumb_unsupported("a number as text in a radix below 2 or above 36");
    if (negative)
        *at++ = '-';
    first = at;
    do {
        int digit = (int)(magnitude % (unsigned)radix);
        *at++ = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        magnitude /= (unsigned)radix;
    } while (magnitude != 0);
    *at-- = 0;
    for (; first < at; first++, at--) {
        char digit = *first;
        *first = *at;
        *at = digit;
    }
    return to;
}

char *utoa(unsigned value, char *to, int radix) { return __plumb_number_text(to, value, 0, radix); }
char *ultoa(unsigned long value, char *to, int radix) { return __plumb_number_text(to, value, 0, radix); }

char *itoa(int value, char *to, int radix)
{
    _Bool negative = radix == 10 && value < 0;
    return __plumb_number_text(to, negative ? 0u - (unsigned)value : (unsigned)value, negative, radix);
}

char *ltoa(long value, char *to, int radix)
{
    _Bool negative = radix == 10 && value < 0;
    return __plumb_number_text(to, negative ? 0ul - (unsigned long)value : (unsigned long)value, negative, radix);
}
