/* <stdio.h>: decimal text of floating-point numbers, exact. A number is an integer times a power of two, so its decimal
 * expansion is finite: it is written out in full and rounded once, half to even. */

/* Nine decimal digits to a word. 550 words of whole part and 1830 of fraction hold every x87 number. */
static unsigned long __plumb_words[2400];
static char __plumb_digits[21700];

/* Writes the digits of mantissa * 2^exponent to __plumb_digits without leading zeros; returns how many stand before the
 * decimal point (negative: zeros that follow it) and stores their number. */
static int __plumb_expand(unsigned long long mantissa, int exponent, int *count)
{
    int first = 552, point = 552, last = 552; /* words first .. last; those below `point` are the whole part */
    int total = 0, before;
    while (mantissa != 0) {
        first = first - 1;
        __plumb_words[first] = (unsigned long)(mantissa % 1000000000UL);
        mantissa = mantissa / 1000000000UL;
    }
    while (exponent > 0) {
        int shift = exponent < 29 ? exponent : 29;
        unsigned long long carry = 0;
        for (int i = last - 1; i >= first; i--) {
            carry = carry + ((unsigned long long)__plumb_words[i] << shift);
            __plumb_words[i] = (unsigned long)(carry % 1000000000UL);
            carry = carry / 1000000000UL;
        }
        if (carry != 0) {
            first = first - 1;
            __plumb_words[first] = (unsigned long)carry;
        }
        exponent = exponent - shift;
    }
    while (exponent < 0) {
        int shift = -exponent < 9 ? -exponent : 9;
        unsigned long rest = 0;
        for (int i = first; i < last; i++) {
            unsigned long word = __plumb_words[i];
            __plumb_words[i] = (word >> shift) + rest;
            rest = (word & ((1UL << shift) - 1)) * (1000000000UL >> shift);
        }
        if (rest != 0) {
            __plumb_words[last] = rest;
            last = last + 1;
        }
        while (first < last && __plumb_words[first] == 0)
            first = first + 1;
        exponent = exponent + shift;
    }
    before = (point - first) * 9;
    for (int i = first; i < last; i++) {
        unsigned long word = __plumb_words[i], unit = 100000000UL;
        for (int d = 0; d < 9; d++) {
            int digit = (int)(word / unit % 10);
            if (total == 0 && digit == 0) {
                before = before - 1;
            } else {
                __plumb_digits[total] = (char)digit;
                total = total + 1;
            }
            unit = unit / 10;
        }
    }
    *count = total;
    return before;
}

/* Keeps the first `keep` digits (at least zero of them), rounding half to even. Returns 1 when a carry made one more
 * digit in front. */
static int __plumb_round_digits(int *count, int keep)
{
    int up, i;
    if (keep >= *count)
        return 0;
    if (keep < 0) {
        *count = 0;
        return 0;
    }
    up = __plumb_digits[keep] > 5;
    if (__plumb_digits[keep] == 5) {
        for (i = keep + 1; i < *count && __plumb_digits[i] == 0; i++)
            ;
        up = i < *count || (keep > 0 && __plumb_digits[keep - 1] % 2 == 1);
    }
    *count = keep;
    if (!up)
        return 0;
    for (i = keep - 1; i >= 0; i--) {
        if (__plumb_digits[i] < 9) {
            __plumb_digits[i] = (char)(__plumb_digits[i] + 1);
            return 0;
        }
        __plumb_digits[i] = 0;
    }
    for (i = keep; i > 0; i--)
        __plumb_digits[i] = __plumb_digits[i - 1];
    __plumb_digits[0] = 1;
    *count = keep + 1;
    return 1;
}

static char __plumb_digit_at(int index, int count)
{
    return (char)('0' + (index >= 0 && index < count ? __plumb_digits[index] : 0));
}

/* The text between sign and padding: `before` digits, a point, `after` digits, and an exponent unless `exponent` is the
 * mark for none. Returns its length; writes only if `out` is given. */
static int __plumb_real_body(struct __plumb_sink *out, int before, int after, int count, int point, int exponent,
                             char mark)
{
    int size = (before > 0 ? before : 1) + (after > 0 || point) + (after > 0 ? after : 0);
    int magnitude = exponent < 0 ? -exponent : exponent;
    int exponent_digits = magnitude >= 1000 ? 4 : magnitude >= 100 ? 3 : 2;
    if (mark)
        size = size + 2 + exponent_digits;
    if (out == 0)
        return size;
    if (before <= 0)
        __plumb_put(out, '0');
    for (int i = 0; i < before; i++)
        __plumb_put(out, __plumb_digit_at(i, count));
    if (after > 0 || point)
        __plumb_put(out, '.');
    for (int i = 0; i < after; i++)
        __plumb_put(out, __plumb_digit_at(before + i, count));
    if (mark) {
        __plumb_put(out, mark);
        __plumb_put(out, exponent < 0 ? '-' : '+');
        for (int i = exponent_digits, unit = exponent_digits == 4 ? 1000 : exponent_digits == 3 ? 100 : 10; i > 0; i--) {
            __plumb_put(out, (char)('0' + magnitude / unit % 10));
            unit = unit / 10;
        }
    }
    return size;
}

static void __plumb_put_real(struct __plumb_sink *out, long double x, char style, struct __plumb_spec *spec)
{
    int negative = __builtin_signbit(x) != 0;
    char sign = negative ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
    int upper = style < 'a', precision = spec->precision < 0 ? 6 : spec->precision;
    int count, before, after, exponent = 0, binary, size, general, point = spec->alternate;
    char mark = 0;
    if (__builtin_isnan(x) || __builtin_isinf(x)) {
        char text[4];
        int at = 0;
        const char *word = __builtin_isnan(x) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
        if (sign) {
            text[0] = sign;
            at = 1;
        }
        for (int i = 0; i < 3; i++)
            text[at + i] = word[i];
        __plumb_put_text(out, text, at + 3, spec);
        return;
    }
    x = __builtin_fabsl(frexpl(x, &binary));
    before = __plumb_expand((unsigned long long)(x * 18446744073709551616.0L), binary - 64, &count);
    if (count == 0)
        before = 1;
    general = style == 'g' || style == 'G';
    if (general) {
        if (precision == 0)
            precision = 1;
        before = before + __plumb_round_digits(&count, precision);
        if (!spec->alternate)
            while (count > 0 && __plumb_digits[count - 1] == 0)
                count = count - 1;
        if (before - 1 < -4 || before - 1 >= precision)
            style = upper ? 'E' : 'e';
        else
            style = 'f';
    }
    if (style == 'e' || style == 'E') {
        if (!general)
            before = before + __plumb_round_digits(&count, precision + 1);
        exponent = before - 1;
        mark = upper ? 'E' : 'e';
        before = 1;
        after = !general ? precision : spec->alternate ? precision - 1 : count - 1;
    } else {
        if (!general)
            before = before + __plumb_round_digits(&count, before + precision);
        after = !general ? precision : spec->alternate ? precision - before : count - before;
    }
    if (after < 0)
        after = 0;
    size = __plumb_real_body(0, before, after, count, point, exponent, mark) + (sign != 0);
    if (!spec->left && !spec->zero)
        __plumb_pad(out, ' ', spec->width - size);
    if (sign)
        __plumb_put(out, sign);
    if (!spec->left && spec->zero)
        __plumb_pad(out, '0', spec->width - size);
    __plumb_real_body(out, before, after, count, point, exponent, mark);
    if (spec->left)
        __plumb_pad(out, ' ', spec->width - size);
}
