/* <string.h> and <strings.h>: exact, byte by byte, so that every access has the bounds of the real function. */

/* Regions that have a byte in common. To copy something onto itself is as undefined, and harmless everywhere. */
static void __plumb_apart(const void *to, const void *from, size_t size)
{
    if (__plumb_overlap(to, from, size))
        __plumb_unsupported("a copy between overlapping regions by other means than memmove");
}

void *memcpy(void *to, const void *from, size_t size)
{
    __plumb_apart(to, from, size);
    __plumb_mem_copy(to, from, size);
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    __plumb_mem_copy(to, from, size);
    return to;
}

void *mempcpy(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }

/* Reads the ends of a region that someone else is going to read. */
static void __plumb_touch(const void *from, size_t size)
{
    const char *bytes = from;
    if (size > 0) {
        (void)bytes[0];
        (void)bytes[size - 1];
    }
}

void bcopy(const void *from, void *to, size_t size) { __plumb_mem_copy(to, from, size); }

void *memset(void *to, int byte, size_t size)
{
    __plumb_mem_set(to, byte, size);
    return to;
}

void bzero(void *to, size_t size) { __plumb_mem_set(to, 0, size); }
void explicit_bzero(void *to, size_t size) { __plumb_mem_set(to, 0, size); }

void *memset_explicit(void *to, int byte, size_t size)
{
    __plumb_mem_set(to, byte, size);
    return to;
}

void *memccpy(void *to, const void *from, int stop, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < size; i++) {
        t[i] = f[i];
        if (f[i] == (unsigned char)stop)
            return t + i + 1;
    }
    return 0;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    if (size > 0) {
        /* Both must have that many bytes, wherever they differ. */
        (void)x[size - 1];
        (void)y[size - 1];
    }
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return __plumb_open_sign((int)x[i] - (int)y[i]);
    return 0;
}

int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *in, int byte, size_t size)
{
    const unsigned char *s = in;
    for (size_t i = 0; i < size; i++)
        if (s[i] == (unsigned char)byte)
            return (void *)(s + i);
    return 0;
}

void *memrchr(const void *in, int byte, size_t size)
{
    const unsigned char *s = in;
    while (size > 0) {
        size = size - 1;
        if (s[size] == (unsigned char)byte)
            return (void *)(s + size);
    }
    return 0;
}

void *rawmemchr(const void *in, int byte)
{
    const unsigned char *s = in;
    while (*s != (unsigned char)byte)
        s++;
    return (void *)s;
}

void *memmem(const void *in, size_t in_size, const void *what, size_t size)
{
    const char *s = in, *w = what;
    if (size > in_size)
        return 0;
    for (size_t i = 0; i <= in_size - size; i++) {
        size_t same = 0;
        while (same < size && s[i + same] == w[same])
            same++;
        if (same == size)
            return (void *)(s + i);
    }
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

char *stpcpy(char *to, const char *from)
{
    size_t i = 0;
    while (from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    __plumb_apart(to, from, i + 1);
    return to + i;
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *to, const char *from, size_t size)
{
    size_t i = 0, end;
    while (i < size && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    __plumb_apart(to, from, i);
    end = i;
    while (i < size) {
        to[i] = 0;
        i++;
    }
    return to + end;
}

char *strncpy(char *to, const char *from, size_t size)
{
    stpncpy(to, from, size);
    return to;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    if (size > 0) {
        while (i < size - 1 && from[i] != 0) {
            to[i] = from[i];
            i++;
        }
        to[i] = 0;
    }
    return i + strlen(from + i);
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t length = 0;
    while (length < size && to[length] != 0)
        length++;
    if (length == size)
        return size + strlen(from);
    return length + strlcpy(to + length, from, size - length);
}

char *strcat(char *to, const char *from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, size_t most)
{
    char *end = to + strlen(to);
    size_t i = 0;
    while (i < most && from[i] != 0) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    return to;
}

int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return __plumb_open_sign((int)(unsigned char)a[i] - (int)(unsigned char)b[i]);
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        if (a[i] != b[i])
            return __plumb_open_sign((int)(unsigned char)a[i] - (int)(unsigned char)b[i]);
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

static int __plumb_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && __plumb_fold(a[i]) == __plumb_fold(b[i]))
        i++;
    return __plumb_open_sign(__plumb_fold(a[i]) - __plumb_fold(b[i]));
}

int strncasecmp(const char *a, const char *b, size_t most)
{
    for (size_t i = 0; i < most; i++) {
        if (__plumb_fold(a[i]) != __plumb_fold(b[i]))
            return __plumb_open_sign(__plumb_fold(a[i]) - __plumb_fold(b[i]));
        if (a[i] == 0)
            return 0;
    }
    return 0;
}

char *strchr(const char *s, int c)
{
    while (*s != (char)c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (char *)s;
}

char *strchrnul(const char *s, int c)
{
    while (*s != (char)c && *s != 0)
        s++;
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    const char *found = 0;
    for (;;) {
        if (*s == (char)c)
            found = s;
        if (*s == 0)
            return (char *)found;
        s++;
    }
}

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] != 0 && strchr(set, s[n]) != 0)
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] != 0 && strchr(set, s[n]) == 0)
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    size_t n = strcspn(s, set);
    return s[n] != 0 ? (char *)(s + n) : 0;
}

/* Whether `s` starts with `prefix`. */
static int __plumb_starts(const char *s, const char *prefix)
{
    size_t i = 0;
    while (prefix[i] != 0) {
        if (s[i] != prefix[i])
            return 0;
        i++;
    }
    return 1;
}

char *strstr(const char *s, const char *what)
{
    for (;;) {
        if (__plumb_starts(s, what))
            return (char *)s;
        if (*s == 0)
            return 0;
        s++;
    }
}

char *strtok_r(char *s, const char *set, char **state)
{
    char *end;
    if (s == 0)
        s = *state;
    s = s + strspn(s, set);
    if (*s == 0) {
        *state = s;
        return 0;
    }
    end = s + strcspn(s, set);
    if (*end != 0) {
        *end = 0;
        end++;
    }
    *state = end;
    return s;
}

static char *__plumb_strtok_state;

char *strtok(char *s, const char *set) { return strtok_r(s, set, &__plumb_strtok_state); }
char *__strtok_r(char *s, const char *set, char **state) { return strtok_r(s, set, state); }

char *strsep(char **state, const char *set)
{
    char *s = *state, *end;
    if (s == 0)
        return 0;
    end = s + strcspn(s, set);
    if (*end == 0) {
        *state = 0;
    } else {
        *end = 0;
        *state = end + 1;
    }
    return s;
}

char *strdup(const char *s)
{
    size_t size = strlen(s) + 1;
    char *copy = __plumb_heap_alloc(size);
    __plumb_mem_copy(copy, s, size);
    return copy;
}

char *__strdup(const char *s) { return strdup(s); }

char *strndup(const char *s, size_t most)
{
    size_t size = strnlen(s, most);
    char *copy = __plumb_heap_alloc(size + 1);
    __plumb_mem_copy(copy, s, size);
    copy[size] = 0;
    return copy;
}

char *__strndup(const char *s, size_t most) { return strndup(s, most); }

char *strrev(char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) {
        char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = c;
    }
    return s;
}

static char __plumb_error_text[128];

char *strerror(int error)
{
    (void)error;
    __plumb_answer(__plumb_error_text, 127);
    return __plumb_error_text;
}

/* Bytes in pairs, each exchanged; a last one without a partner is left out. */
void swab(const void *from, void *to, long size)
{
    for (long i = 0; i + 1 < size; i += 2) {
        char first = ((const char *)from)[i];
        ((char *)to)[i] = ((const char *)from)[i + 1];
        ((char *)to)[i + 1] = first;
    }
}

void *__mempcpy(void *to, const void *from, size_t size) { return mempcpy(to, from, size); }
char *__stpcpy(char *to, const char *from) { return stpcpy(to, from); }
char *__stpncpy(char *to, const char *from, size_t size) { return stpncpy(to, from, size); }

int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }

/* What _FORTIFY_SOURCE turns calls into; the last argument is the size of the destination. */
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) { return memcpy(to, from, size); }
void *__memmove_chk(void *to, const void *from, size_t size, size_t room) { return memmove(to, from, size); }
void *__memset_chk(void *to, int byte, size_t size, size_t room) { return memset(to, byte, size); }
char *__strcpy_chk(char *to, const char *from, size_t room) { return strcpy(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t size, size_t room) { return strncpy(to, from, size); }
char *__strcat_chk(char *to, const char *from, size_t room) { return strcat(to, from); }
char *__strncat_chk(char *to, const char *from, size_t size, size_t room) { return strncat(to, from, size); }
char *__stpcpy_chk(char *to, const char *from, size_t room) { return stpcpy(to, from); }

/* What compilers for ARM call (Run-time ABI, 4.3.4): nothing is returned, and the byte to store comes last. */
void __aeabi_memcpy(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void __aeabi_memcpy4(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void __aeabi_memcpy8(void *to, const void *from, size_t size) { memcpy(to, from, size); }
void __aeabi_memmove(void *to, const void *from, size_t size) { memmove(to, from, size); }
void __aeabi_memmove4(void *to, const void *from, size_t size) { memmove(to, from, size); }
void __aeabi_memmove8(void *to, const void *from, size_t size) { memmove(to, from, size); }
void __aeabi_memset(void *to, size_t size, int byte) { memset(to, byte, size); }
void __aeabi_memset4(void *to, size_t size, int byte) { memset(to, byte, size); }
void __aeabi_memset8(void *to, size_t size, int byte) { memset(to, byte, size); }
void __aeabi_memclr(void *to, size_t size) { memset(to, 0, size); }
void __aeabi_memclr4(void *to, size_t size) { memset(to, 0, size); }
void __aeabi_memclr8(void *to, size_t size) { memset(to, 0, size); }
