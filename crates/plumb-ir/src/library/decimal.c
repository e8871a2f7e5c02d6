/* strtod and its relatives: the nearest number, of two equally near ones the even one.
 *
 * Few digits and a small power of ten, both exact, need one operation and so one rounding (Clinger 1990). Other numbers are
 * divided bit by bit in whole numbers of up to 1280 bits. */

struct __plumb_decimal {
    char digit[40]; /* without zeros at either end */
    int count;
    unsigned long long value; /* of the digits, if there are at most 19 */
    int power;
    int negative;
    int kind; /* 0: no number, 1: finite, 2: infinite, 3: not a number */
    const char *end;
};

static void __plumb_append_digit(struct __plumb_decimal *n, int digit)
{
    if (n->count == 40)
        __plumb_unsupported("numbers of more than 40 significant digits in text");
    n->digit[n->count] = (char)digit;
    n->count = n->count + 1;
    n->value = n->value * 10 + (unsigned)digit;
}

/* Reads digits; zeros are kept back until another digit follows. */
static const char *__plumb_read_digits(const char *s, struct __plumb_decimal *n, int *zeros)
{
    for (; *s >= '0' && *s <= '9'; s++) {
        n->kind = 1;
        if (*s == '0') {
            if (n->count > 0)
                *zeros = *zeros + 1;
            continue;
        }
        for (; *zeros > 0; *zeros = *zeros - 1)
            __plumb_append_digit(n, 0);
        __plumb_append_digit(n, *s - '0');
    }
    return s;
}

/* Behind a word in any case, or null. */
static const char *__plumb_behind_word(const char *s, const char *word)
{
    for (; *word; word++, s++)
        if ((*s | 32) != *word)
            return 0;
    return s;
}

static int __plumb_read_words(const char *s, struct __plumb_decimal *n)
{
    const char *end = __plumb_behind_word(s, "inf"), *tag;
    if (end) {
        n->kind = 2;
        n->end = end;
        end = __plumb_behind_word(end, "inity");
        if (end)
            n->end = end;
        return 1;
    }
    end = __plumb_behind_word(s, "nan");
    if (!end)
        return 0;
    n->kind = 3;
    n->end = end;
    if (*end != '(')
        return 1;
    for (tag = end + 1; __plumb_digit(*tag) < 36 || *tag == '_'; tag++)
        ;
    if (*tag == ')' && tag > end + 1)
        __plumb_unsupported("NaNs with a payload in text");
    if (*tag == ')')
        n->end = tag + 1;
    return 1;
}

static void __plumb_read_decimal(const char *text, struct __plumb_decimal *n)
{
    const char *s = text, *after;
    int zeros = 0, exponent = 0, down = 0;
    n->count = n->power = n->negative = n->kind = 0;
    n->value = 0;
    n->end = text;
    while (__plumb_is_space(*s))
        s++;
    if (*s == '+' || *s == '-') {
        n->negative = *s == '-';
        s++;
    }
    if (__plumb_read_words(s, n))
        return;
    if (*s == '0' && (s[1] | 32) == 'x' && (__plumb_digit(s[2]) < 16 || s[2] == '.'))
        __plumb_unsupported("hexadecimal fractions in text");
    s = __plumb_read_digits(s, n, &zeros);
    if (*s == '.' && (n->kind || (s[1] >= '0' && s[1] <= '9'))) {
        after = __plumb_read_digits(s + 1, n, &zeros);
        n->power = n->power - (int)(after - s - 1);
        s = after;
    }
    if (n->kind == 0)
        return;
    n->end = s;
    n->power = n->power + zeros;
    if ((*s | 32) != 'e')
        return;
    s++;
    if (*s == '+' || *s == '-') {
        down = *s == '-';
        s++;
    }
    if (*s < '0' || *s > '9')
        return;
    for (; *s >= '0' && *s <= '9'; s++)
        if (exponent < 10000)
            exponent = exponent * 10 + (*s - '0');
    n->end = s;
    n->power = down ? n->power - exponent : n->power + exponent;
}

/* --- whole numbers of 40 digits to the base of 2^32, the lowest first --- */

static void __plumb_big_multiply(unsigned long *n, unsigned by, unsigned add)
{
    unsigned long long carry = add;
    for (int i = 0; i < 40; i++) {
        carry = carry + (unsigned long long)n[i] * by;
        n[i] = (unsigned long)(carry & 0xffffffffULL);
        carry = carry >> 32;
    }
}

static int __plumb_big_compare(const unsigned long *a, const unsigned long *b)
{
    for (int i = 39; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void __plumb_big_subtract(unsigned long *a, const unsigned long *b)
{
    unsigned long long borrow = 0;
    for (int i = 0; i < 40; i++) {
        unsigned long long take = b[i] + borrow;
        borrow = a[i] < take;
        a[i] = (unsigned long)((a[i] + (borrow << 32) - take) & 0xffffffffULL);
    }
}

/* The nearest significand of so many bits (fewer where the exponent would be below the least) and its exponent; 0 for what
 * rounds to zero. The number is not zero, and between 10^-340 and 10^340. */
static unsigned long long __plumb_nearest(const struct __plumb_decimal *n, int bits, int least, int *exponent)
{
    unsigned long top[40], bottom[40];
    unsigned long long significand = 0;
    int e = 0, order, whole = bits;
    for (int i = 0; i < 40; i++)
        top[i] = bottom[i] = 0;
    bottom[0] = 1;
    for (int i = 0; i < n->count; i++)
        __plumb_big_multiply(top, 10, (unsigned)n->digit[i]);
    for (int i = 0; i < n->power; i++)
        __plumb_big_multiply(top, 10, 0);
    for (int i = 0; i > n->power; i--)
        __plumb_big_multiply(bottom, 10, 0);
    /* bottom <= top < 2 bottom */
    for (; __plumb_big_compare(top, bottom) >= 0; e++)
        __plumb_big_multiply(bottom, 2, 0);
    for (; __plumb_big_compare(top, bottom) < 0; e--)
        __plumb_big_multiply(top, 2, 0);
    if (e < least)
        bits = bits - (least - e);
    if (bits < 0) {
        __plumb_range_error();
        return 0;
    }
    for (int i = 0; i < bits; i++) {
        significand = significand << 1;
        if (__plumb_big_compare(top, bottom) >= 0) {
            __plumb_big_subtract(top, bottom);
            significand = significand | 1;
        }
        __plumb_big_multiply(top, 2, 0);
    }
    *exponent = e - bits + 1;
    /* What is left, in halves of the last place. */
    order = __plumb_big_compare(top, bottom);
    for (int i = 0; i < 40 && bits < whole; i++)
        if (top[i] != 0) {
            __plumb_range_error();
            break;
        }
    if (order > 0 || (order == 0 && (significand & 1)))
        significand = significand + 1;
    return significand;
}

/* Whether a number is far below or above what any format but the x87's has: -1 or 1. */
static int __plumb_far_out(const struct __plumb_decimal *n)
{
    int magnitude = n->count + n->power;
    return magnitude < -330 ? -1 : magnitude > 330 ? 1 : 0;
}

static double __plumb_decimal_value(const struct __plumb_decimal *n)
{
    int narrow = sizeof(double) == 4, far = __plumb_far_out(n), most = narrow ? 10 : 22, exponent = 0;
    double value, scale = 1;
    unsigned long long significand;
    if (n->count == 0)
        return 0;
    if (far) {
        __plumb_range_error();
        return far < 0 ? 0 : __builtin_inf();
    }
    if (n->count <= 19 && n->value <= (narrow ? 1ULL << 24 : 1ULL << 53) && n->power <= most && n->power >= -most) {
        value = (double)n->value;
        for (int i = n->power < 0 ? -n->power : n->power; i > 0; i--)
            scale = scale * 10;
        return n->power < 0 ? value / scale : value * scale;
    }
    significand = __plumb_nearest(n, narrow ? 24 : 53, narrow ? -126 : -1022, &exponent);
    return ldexp((double)significand, exponent);
}

double strtod(const char *text, char **end)
{
    struct __plumb_decimal n;
    double value;
    __plumb_read_decimal(text, &n);
    if (end)
        *end = (char *)n.end;
    value = n.kind == 3 ? __builtin_nan("") : n.kind == 2 ? __builtin_inf() : __plumb_decimal_value(&n);
    return n.negative && n.kind ? -value : value;
}

double atof(const char *text) { return strtod(text, 0); }

static float __plumb_decimal_float(const struct __plumb_decimal *n)
{
    int far = __plumb_far_out(n), exponent = 0;
    float value, scale = 1;
    unsigned long long significand;
    if (n->count == 0)
        return 0;
    if (far) {
        __plumb_range_error();
        return far < 0 ? 0 : __builtin_inff();
    }
    if (n->count <= 19 && n->value <= 1ULL << 24 && n->power <= 10 && n->power >= -10) {
        value = (float)n->value;
        for (int i = n->power < 0 ? -n->power : n->power; i > 0; i--)
            scale = scale * 10;
        return n->power < 0 ? value / scale : value * scale;
    }
    significand = __plumb_nearest(n, 24, -126, &exponent);
    return ldexpf((float)significand, exponent);
}

float strtof(const char *text, char **end)
{
    struct __plumb_decimal n;
    float value;
    __plumb_read_decimal(text, &n);
    if (end)
        *end = (char *)n.end;
    value = n.kind == 3 ? __builtin_nanf("") : n.kind == 2 ? __builtin_inff() : __plumb_decimal_float(&n);
    return n.negative && n.kind ? -value : value;
}

static long double __plumb_decimal_long(const struct __plumb_decimal *n)
{
    int exponent = 0;
    unsigned long long significand;
    if (n->count == 0)
        return 0;
    if (__plumb_far_out(n))
        __plumb_unsupported("strtold on numbers beyond 10 to the power of 330");
    significand = __plumb_nearest(n, 64, -16382, &exponent);
    /* Rounded up to 2^64. */
    if (significand == 0)
        return ldexpl(1, exponent + 64);
    return ldexpl((long double)significand, exponent);
}

long double strtold(const char *text, char **end)
{
    struct __plumb_decimal n;
    long double value;
    if (sizeof(long double) <= 8)
        return strtod(text, end);
    __plumb_read_decimal(text, &n);
    if (end)
        *end = (char *)n.end;
    value = n.kind == 3 ? __builtin_nanl("") : n.kind == 2 ? __builtin_infl() : __plumb_decimal_long(&n);
    return n.negative && n.kind ? -value : value;
}
