/* <stdio.h>: scanf. From a string the text is read as it stands; from a stream each item is an arbitrary value of its
 * type, and reading may stop before any of them. */

struct __plumb_source {
    const char *text; /* null: a stream */
    size_t at;
    int is_c23;
};

/* The next character without taking it; -1 at the end of the text. */
static int __plumb_peek(struct __plumb_source *in)
{
    return in->text[in->at] == 0 ? -1 : (unsigned char)in->text[in->at];
}

static void __plumb_skip_space(struct __plumb_source *in)
{
    while (__plumb_is_space(__plumb_peek(in)))
        in->at = in->at + 1;
}

/* Reads an integer of at most `width` characters; `end` is null where there is none. */
static struct __plumb_number __plumb_scan_integer(struct __plumb_source *in, int width, int base)
{
    struct __plumb_number n;
    int c = __plumb_peek(in), digit;
    n.magnitude = 0;
    n.negative = 0;
    n.overflow = 0;
    n.end = 0;
    if ((c == '+' || c == '-') && width > 1) {
        n.negative = c == '-';
        in->at = in->at + 1;
        width = width - 1;
    }
    if ((base == 0 || base == 16) && __plumb_peek(in) == '0') {
        in->at = in->at + 1;
        width = width - 1;
        n.end = in->text;
        c = __plumb_peek(in);
        if ((c == 'x' || c == 'X') && width > 0) {
            in->at = in->at + 1;
            width = width - 1;
            base = 16;
        } else if (base == 0 && in->is_c23 && (c == 'b' || c == 'B') && width > 0) {
            in->at = in->at + 1;
            width = width - 1;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    while (width > 0 && (digit = __plumb_digit(__plumb_peek(in))) < base) {
        if (n.magnitude > (~0ULL - digit) / base)
            n.overflow = 1;
        n.magnitude = n.magnitude * base + digit;
        in->at = in->at + 1;
        width = width - 1;
        n.end = in->text;
    }
    if (n.overflow)
        n.magnitude = ~0ULL;
    return n;
}

/* The value as strtol and its relatives give it: too large ones are the largest of the type that is read. */
static unsigned long long __plumb_scanned_value(struct __plumb_number n, char conversion, int length)
{
    int is_wide = length == 2 || length == 4;
    if (conversion == 'd' || conversion == 'i')
        return (unsigned long long)__plumb_signed_value(n, is_wide ? ~0ULL >> 1 : ~0UL >> 1);
    return __plumb_unsigned_value(n, is_wide ? ~0ULL : ~0UL);
}

/* The text of a number with a fraction; no more than 63 characters of it. */
static void __plumb_scan_real_text(struct __plumb_source *in, int width, char *text)
{
    int size = 0;
    while (size < width) {
        int c = __plumb_peek(in);
        if (size <= 1 && (c == 'i' || c == 'I' || c == 'n' || c == 'N' || c == 'x' || c == 'X'))
            __plumb_unsupported("infinities, NaNs and hexadecimal fractions in scanf");
        if (!((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'))
            break;
        if (size == 63)
            __plumb_unsupported("numbers of more than 63 characters in scanf");
        text[size] = (char)c;
        size = size + 1;
        in->at = in->at + 1;
    }
    text[size] = 0;
}

/* Whether a character is in the set that a `[` conversion lists up to its `]`. */
static int __plumb_in_set(const char *set, int c)
{
    int inverted = 0, found = 0;
    if (*set == '^') {
        inverted = 1;
        set++;
    }
    for (int first = 1; *set != 0 && (first || *set != ']'); first = 0) {
        if (set[1] == '-' && set[2] != ']' && set[2] != 0) {
            if (c >= (unsigned char)set[0] && c <= (unsigned char)set[2])
                found = 1;
            set = set + 3;
        } else {
            if (c == (unsigned char)*set)
                found = 1;
            set++;
        }
    }
    return found != inverted;
}

static const char *__plumb_set_end(const char *set)
{
    if (*set == '^')
        set++;
    if (*set == ']')
        set++;
    while (*set != 0 && *set != ']')
        set++;
    return set;
}

/* The next character for `conversion` (s, c or [), or -1 when the item ends before it. */
static int __plumb_scan_char(struct __plumb_source *in, char conversion, const char *set)
{
    int c;
    if (in->text == 0) {
        c = __plumb_nondet_uchar();
        if (__plumb_nondet_bool())
            return -1;
    } else {
        c = __plumb_peek(in);
        if (c < 0)
            return -1;
    }
    if (conversion == 's' && __plumb_is_space(c))
        return -1;
    if (conversion == '[' && !__plumb_in_set(set, c))
        return -1;
    in->at = in->at + 1;
    return c;
}

static void __plumb_store_integer(void *to, int length, unsigned long long value)
{
    if (length == -2)
        *(unsigned char *)to = (unsigned char)value;
    else if (length == -1)
        *(unsigned short *)to = (unsigned short)value;
    else if (length == 0)
        *(unsigned *)to = (unsigned)value;
    else if (length == 1)
        *(unsigned long *)to = (unsigned long)value;
    else if (length == 3)
        *(size_t *)to = (size_t)value;
    else
        *(unsigned long long *)to = value;
}

static int __plumb_scan(struct __plumb_source *in, const char *format, va_list args)
{
    int stored = 0;
    for (; *format != 0; format++) {
        int keep = 1, width, length, base;
        char conversion;
        if (__plumb_is_space(*format)) {
            if (in->text)
                __plumb_skip_space(in);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%')
                format++;
            if (in->text == 0) {
                if (__plumb_nondet_bool())
                    return stored;
            } else {
                if (__plumb_peek(in) != (unsigned char)*format)
                    return stored == 0 && __plumb_peek(in) < 0 ? -1 : stored;
                in->at = in->at + 1;
            }
            continue;
        }
        format++;
        if (*format == '*') {
            keep = 0;
            format++;
        }
        width = __plumb_format_number(&format);
        length = __plumb_read_length(&format);
        conversion = *format;
        if (conversion == 'n') {
            if (in->text == 0)
                __plumb_unsupported("%n in scanf from a stream");
            if (keep)
                __plumb_store_integer(__builtin_va_arg(args, void *), length, in->at);
            continue;
        }
        if (in->text == 0) {
            if (__plumb_nondet_bool())
                return stored == 0 && __plumb_nondet_bool() ? -1 : stored;
        } else {
            if (conversion != 'c' && conversion != '[')
                __plumb_skip_space(in);
            if (__plumb_peek(in) < 0)
                return stored == 0 ? -1 : stored;
        }
        switch (conversion) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o':
        case 'p': {
            unsigned long long value;
            base = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'd' || conversion == 'u' ? 10 : 16;
            if (conversion == 'p')
                __plumb_unsupported("%p in scanf");
            if (in->text == 0) {
                value = __plumb_nondet_ulonglong();
            } else {
                struct __plumb_number n = __plumb_scan_integer(in, width > 0 ? width : 32767, base);
                if (n.end == 0)
                    return stored;
                value = __plumb_scanned_value(n, conversion, length);
            }
            if (keep)
                __plumb_store_integer(__builtin_va_arg(args, void *), length, value);
            break;
        }
        case 'f':
        case 'e':
        case 'g':
        case 'E':
        case 'G':
        case 'a': {
            char text[64], *end;
            long double value;
            /* Each type has its own rounding. */
            if (in->text == 0) {
                value = length == 4 ? __plumb_nondet_reall() : length == 1 ? __plumb_nondet_double() : __plumb_nondet_realf();
            } else {
                __plumb_scan_real_text(in, width > 0 ? width : 1000, text);
                value = length == 4 ? strtold(text, &end) : length == 1 ? strtod(text, &end) : strtof(text, &end);
                in->at = in->at - strlen(end);
                if (end == text)
                    return stored;
            }
            if (!keep)
                break;
            if (length == 4)
                *__builtin_va_arg(args, long double *) = value;
            else if (length == 1)
                *__builtin_va_arg(args, double *) = (double)value;
            else
                *__builtin_va_arg(args, float *) = (float)value;
            break;
        }
        case 's':
        case 'c':
        case '[': {
            char *to = 0;
            const char *set = format + 1;
            int c, got = 0;
            if (length != 0)
                __plumb_unsupported("wide or allocated strings in scanf");
            if (keep)
                to = __builtin_va_arg(args, char *);
            if (conversion == 'c' && width == 0)
                width = 1;
            while ((width == 0 || got < width) && (c = __plumb_scan_char(in, conversion, set)) >= 0) {
                if (keep)
                    to[got] = (char)c;
                got = got + 1;
            }
            if (got == 0 || (conversion == 'c' && got < width))
                return stored;
            if (keep && conversion != 'c')
                to[got] = 0;
            if (conversion == '[')
                format = __plumb_set_end(set);
            break;
        }
        default:
            __plumb_unsupported("this conversion in a scanf format");
        }
        if (keep)
            stored = stored + 1;
    }
    return stored;
}

int vsscanf(const char *text, const char *format, va_list args)
{
    struct __plumb_source in;
    in.text = text;
    in.at = 0;
    in.is_c23 = 0;
    return __plumb_scan(&in, format, args);
}

int vscanf(const char *format, va_list args)
{
    struct __plumb_source in;
    in.text = 0;
    in.at = 0;
    in.is_c23 = 0;
    return __plumb_scan(&in, format, args);
}

int vfscanf(void *stream, const char *format, va_list args)
{
    (void)stream;
    return vscanf(format, args);
}

int sscanf(const char *text, const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vsscanf(text, format, args);
    __builtin_va_end(args);
    return stored;
}

int scanf(const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vscanf(format, args);
    __builtin_va_end(args);
    return stored;
}

int fscanf(void *stream, const char *format, ...)
{
    va_list args;
    int stored;
    (void)stream;
    __builtin_va_start(args, format);
    stored = vscanf(format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vsscanf(text, format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc99_scanf(const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vscanf(format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc99_fscanf(void *stream, const char *format, ...)
{
    va_list args;
    int stored;
    (void)stream;
    __builtin_va_start(args, format);
    stored = vscanf(format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list args) { return vsscanf(text, format, args); }
int __isoc99_vscanf(const char *format, va_list args) { return vscanf(format, args); }
int __isoc99_vfscanf(void *stream, const char *format, va_list args) { return vfscanf(stream, format, args); }

/* What the headers of C23 lead to. */

int __isoc23_vsscanf(const char *text, const char *format, va_list args)
{
    struct __plumb_source in;
    in.text = text;
    in.at = 0;
    in.is_c23 = 1;
    return __plumb_scan(&in, format, args);
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = __isoc23_vsscanf(text, format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc23_scanf(const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vscanf(format, args);
    __builtin_va_end(args);
    return stored;
}

int __isoc23_fscanf(void *stream, const char *format, ...)
{
    va_list args;
    int stored;
    __builtin_va_start(args, format);
    stored = vfscanf(stream, format, args);
    __builtin_va_end(args);
    return stored;
}


int __isoc23_vscanf(const char *format, va_list args) { return vscanf(format, args); }
int __isoc23_vfscanf(void *stream, const char *format, va_list args) { return vfscanf(stream, format, args); }
