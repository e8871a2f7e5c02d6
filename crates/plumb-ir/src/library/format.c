/* <stdio.h>: printf into memory, exact as far as the format can be followed. */

struct __plumb_sink {
    char *to;
    size_t room, used;
};

/* How one conversion is to be laid out. */
struct __plumb_spec {
    int left, plus, space, alternate, zero, upper;
    int width;
    int precision; /* -1: none given */
};

static void __plumb_put_real(struct __plumb_sink *out, long double x, char style, struct __plumb_spec *spec);

static void __plumb_put(struct __plumb_sink *out, char c)
{
    if (out->used < out->room)
        out->to[out->used] = c;
    out->used = out->used + 1;
}

static void __plumb_pad(struct __plumb_sink *out, char c, int count)
{
    while (count > 0) {
        __plumb_put(out, c);
        count = count - 1;
    }
}

static void __plumb_put_text(struct __plumb_sink *out, const char *text, int size, struct __plumb_spec *spec)
{
    if (!spec->left)
        __plumb_pad(out, ' ', spec->width - size);
    for (int i = 0; i < size; i++)
        __plumb_put(out, text[i]);
    if (spec->left)
        __plumb_pad(out, ' ', spec->width - size);
}

static void __plumb_put_integer(struct __plumb_sink *out, unsigned long long value, int negative, unsigned base,
                                struct __plumb_spec *spec)
{
    char digits[72];
    int count = 0, zeros = 0, prefix = 0, size;
    char sign = negative ? '-' : spec->plus ? '+' : spec->space ? ' ' : 0;
    int nonzero = value != 0;
    while (value != 0) {
        int digit = (int)(value % base);
        digits[count] = (char)(digit < 10 ? '0' + digit : (spec->upper ? 'A' : 'a') + digit - 10);
        count = count + 1;
        value = value / base;
    }
    if (spec->precision >= 0)
        zeros = spec->precision > count ? spec->precision - count : 0;
    else if (count == 0)
        zeros = 1;
    if (spec->alternate && base == 16 && nonzero)
        prefix = 2;
    if (spec->alternate && base == 8 && zeros == 0)
        zeros = 1;
    size = count + zeros + prefix + (sign != 0);
    if (spec->zero && !spec->left && spec->precision < 0 && spec->width > size) {
        zeros = zeros + spec->width - size;
        size = spec->width;
    }
    if (!spec->left)
        __plumb_pad(out, ' ', spec->width - size);
    if (sign)
        __plumb_put(out, sign);
    if (prefix) {
        __plumb_put(out, '0');
        __plumb_put(out, spec->upper ? 'X' : 'x');
    }
    __plumb_pad(out, '0', zeros);
    while (count > 0) {
        count = count - 1;
        __plumb_put(out, digits[count]);
    }
    if (spec->left)
        __plumb_pad(out, ' ', spec->width - size);
}

/* The decimal number at *format, which is moved past it. */
static int __plumb_format_number(const char **format)
{
    int n = 0;
    while (**format >= '0' && **format <= '9') {
        if (n > 3000)
            __plumb_unsupported("printf fields of more than 30000 characters");
        n = n * 10 + (**format - '0');
        *format = *format + 1;
    }
    return n;
}

/* Reads flags, width and precision; the arguments for `*` are taken by the caller, told by -2. */
static void __plumb_read_flags(const char **format, struct __plumb_spec *spec)
{
    const char *f = *format;
    spec->left = spec->plus = spec->space = spec->alternate = spec->zero = spec->upper = 0;
    for (;; f++) {
        if (*f == '-')
            spec->left = 1;
        else if (*f == '+')
            spec->plus = 1;
        else if (*f == ' ')
            spec->space = 1;
        else if (*f == '#')
            spec->alternate = 1;
        else if (*f == '0')
            spec->zero = 1;
        else
            break;
    }
    if (*f == '*') {
        spec->width = -2;
        f++;
    } else {
        spec->width = __plumb_format_number(&f);
    }
    spec->precision = -1;
    if (*f == '.') {
        f++;
        if (*f == '*') {
            spec->precision = -2;
            f++;
        } else {
            spec->precision = __plumb_format_number(&f);
        }
    }
    *format = f;
}

/* Length modifiers as the size of the integer: -2 hh, -1 h, 0 none, 1 l, 2 ll, 3 z or t, 4 L. */
static int __plumb_read_length(const char **format)
{
    const char *f = *format;
    int length = 0;
    if (*f == 'h') {
        length = -1;
        f++;
        if (*f == 'h') {
            length = -2;
            f++;
        }
    } else if (*f == 'l') {
        length = 1;
        f++;
        if (*f == 'l') {
            length = 2;
            f++;
        }
    } else if (*f == 'j' || *f == 'q') {
        length = 2;
        f++;
    } else if (*f == 'z' || *f == 't' || *f == 'Z') {
        length = 3;
        f++;
    } else if (*f == 'L') {
        length = 4;
        f++;
    }
    *format = f;
    return length;
}

static void __plumb_format(struct __plumb_sink *out, const char *format, va_list args)
{
    for (; *format != 0; format++) {
        struct __plumb_spec spec;
        int length;
        if (*format != '%') {
            __plumb_put(out, *format);
            continue;
        }
        format++;
        __plumb_read_flags(&format, &spec);
        if (spec.width == -2) {
            spec.width = __builtin_va_arg(args, int);
            if (spec.width < 0) {
                spec.left = 1;
                spec.width = -spec.width;
            }
        }
        if (spec.precision == -2) {
            spec.precision = __builtin_va_arg(args, int);
            if (spec.precision < 0)
                spec.precision = -1;
        }
        length = __plumb_read_length(&format);
        switch (*format) {
        case 'd':
        case 'i': {
            long long v;
            if (length == 2 || length == 4)
                v = __builtin_va_arg(args, long long);
            else if (length == 1)
                v = __builtin_va_arg(args, long);
            else if (length == 3)
                v = (ptrdiff_t)__builtin_va_arg(args, ptrdiff_t);
            else
                v = __builtin_va_arg(args, int);
            if (length == -1)
                v = (short)v;
            if (length == -2)
                v = (signed char)v;
            __plumb_put_integer(out, v < 0 ? 0 - (unsigned long long)v : (unsigned long long)v, v < 0, 10, &spec);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long v;
            if (length == 2 || length == 4)
                v = __builtin_va_arg(args, unsigned long long);
            else if (length == 1)
                v = __builtin_va_arg(args, unsigned long);
            else if (length == 3)
                v = __builtin_va_arg(args, size_t);
            else
                v = __builtin_va_arg(args, unsigned);
            if (length == -1)
                v = (unsigned short)v;
            if (length == -2)
                v = (unsigned char)v;
            spec.upper = *format == 'X';
            spec.plus = spec.space = 0;
            if (*format == 'u')
                spec.alternate = 0;
            __plumb_put_integer(out, v, 0, *format == 'u' ? 10 : *format == 'o' ? 8 : 16, &spec);
            break;
        }
        case 'p': {
            void *p = __builtin_va_arg(args, void *);
            if (p == 0) {
                __plumb_put_text(out, "(nil)", 5, &spec);
            } else {
                spec.alternate = 1;
                __plumb_put_integer(out, (size_t)p, 0, 16, &spec);
            }
            break;
        }
        case 'c': {
            char c = (char)__builtin_va_arg(args, int);
            if (length == 1)
                __plumb_unsupported("printf of wide characters");
            __plumb_put_text(out, &c, 1, &spec);
            break;
        }
        case 's': {
            const char *text = __builtin_va_arg(args, const char *);
            int size = 0;
            if (length == 1)
                __plumb_unsupported("printf of wide strings");
            if (text == 0)
                text = spec.precision < 0 || spec.precision >= 6 ? "(null)" : "";
            while ((spec.precision < 0 || size < spec.precision) && text[size] != 0)
                size = size + 1;
            __plumb_put_text(out, text, size, &spec);
            break;
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
            if (length == 4)
                __plumb_put_real(out, __builtin_va_arg(args, long double), *format, &spec);
            else
                __plumb_put_real(out, __builtin_va_arg(args, double), *format, &spec);
            break;
        case 'n':
            if (length == 0)
                *__builtin_va_arg(args, int *) = (int)out->used;
            else if (length == 1)
                *__builtin_va_arg(args, long *) = (long)out->used;
            else
                __plumb_unsupported("%n with this length in printf");
            break;
        case '%':
            __plumb_put(out, '%');
            break;
        default:
            __plumb_unsupported("this conversion in a printf format");
        }
    }
}

/* Reads what printf would read, and prints nothing: for streams that nobody looks at, and so that a string without an end
 * is met by the checks of memory. What is shown must be something that the machine can print. */
static void __plumb_read_arguments(const char *format, va_list args, int shown)
{
    for (; *format != 0; format++) {
        struct __plumb_spec spec;
        int length;
        if (*format != '%')
            continue;
        format++;
        __plumb_read_flags(&format, &spec);
        if (spec.width == -2)
            (void)__builtin_va_arg(args, int);
        if (spec.precision == -2)
            spec.precision = __builtin_va_arg(args, int);
        length = __plumb_read_length(&format);
        switch (*format) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            if (length == 2 || length == 4)
                (void)__builtin_va_arg(args, long long);
            else if (length == 1)
                (void)__builtin_va_arg(args, long);
            else if (length == 3)
                (void)__builtin_va_arg(args, size_t);
            else
                (void)__builtin_va_arg(args, int);
            break;
        case 'c':
            if (length == 1 && shown)
                __plumb_unsupported("printf of wide characters");
            (void)__builtin_va_arg(args, int);
            break;
        case 'p':
            (void)__builtin_va_arg(args, void *);
            break;
        case 's': {
            const char *text = __builtin_va_arg(args, const char *);
            if (length == 1 && shown)
                __plumb_unsupported("printf of wide strings");
            if (text != 0 && length == 0)
                for (int i = 0; (spec.precision < 0 || i < spec.precision) && text[i] != 0; i++)
                    ;
            break;
        }
        case 'a':
        case 'A':
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
            if (length == 4)
                (void)__builtin_va_arg(args, long double);
            else
                (void)__builtin_va_arg(args, double);
            break;
        case 'n': {
            /* How much has been written is not counted here. */
            int *written = __builtin_va_arg(args, int *);
            if (length != 0)
                __plumb_unsupported("%n with a length in printf");
            *written = (int)(__plumb_nondet_uint() >> 1);
            break;
        }
        case 'm':
            if (shown)
                __plumb_unsupported("%m in printf");
            break;
        case '%':
            break;
        default:
            __plumb_unsupported("this conversion in a printf format");
        }
    }
}

int vsnprintf(char *to, size_t size, const char *format, va_list args)
{
    struct __plumb_sink out;
    out.to = to;
    out.room = size > 0 ? size - 1 : 0;
    out.used = 0;
    __plumb_format(&out, format, args);
    if (size > 0)
        to[out.used < out.room ? out.used : out.room] = 0;
    return (int)out.used;
}

int vsprintf(char *to, const char *format, va_list args) { return vsnprintf(to, (size_t)-1, format, args); }

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vsnprintf(to, size, format, args);
    __builtin_va_end(args);
    return used;
}

int sprintf(char *to, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vsnprintf(to, (size_t)-1, format, args);
    __builtin_va_end(args);
    return used;
}

int vasprintf(char **result, const char *format, va_list args)
{
    va_list again;
    int used;
    __builtin_va_copy(again, args);
    used = vsnprintf(0, 0, format, again);
    __builtin_va_end(again);
    *result = __plumb_heap_alloc((size_t)used + 1);
    return vsnprintf(*result, (size_t)used + 1, format, args);
}

int asprintf(char **result, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vasprintf(result, format, args);
    __builtin_va_end(args);
    return used;
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
    return vsnprintf(to, size, format, args);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    return vsnprintf(to, (size_t)-1, format, args);
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vsnprintf(to, size, format, args);
    __builtin_va_end(args);
    return used;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vsnprintf(to, (size_t)-1, format, args);
    __builtin_va_end(args);
    return used;
}
