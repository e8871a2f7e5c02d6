/* <stdio.h>: streams. What is written to standard output is printed by the concrete machine; what is written elsewhere
 * is evaluated and dropped. What is read is arbitrary. Files do not remember what was written to them. */

static char __plumb_standard_streams[3];
void *stdin = &__plumb_standard_streams[0];
void *stdout = &__plumb_standard_streams[1];
void *stderr = &__plumb_standard_streams[2];

/* --- output --- */

/* What is printed is read first, so that the checks of memory see it. */
static int __plumb_print_checked(const char *format, va_list args)
{
    va_list again;
    __builtin_va_copy(again, args);
    __plumb_read_arguments(format, again, 1);
    __builtin_va_end(again);
    return __plumb_print(format, args);
}

static int __plumb_printf(const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = __plumb_print_checked(format, args);
    __builtin_va_end(args);
    return used;
}

int vprintf(const char *format, va_list args) { return __plumb_print_checked(format, args); }

int printf(const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = __plumb_print_checked(format, args);
    __builtin_va_end(args);
    return used;
}

int __printf_chk(int flag, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = __plumb_print_checked(format, args);
    __builtin_va_end(args);
    return used;
}

int vfprintf(void *stream, const char *format, va_list args)
{
    if (stream == stdout)
        return __plumb_print_checked(format, args);
    __plumb_read_arguments(format, args, 0);
    return __plumb_nondet_bool() ? __plumb_refused() : (int)(__plumb_nondet_uint() >> 1);
}

int fprintf(void *stream, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vfprintf(stream, format, args);
    __builtin_va_end(args);
    return used;
}

int __fprintf_chk(void *stream, int flag, const char *format, ...)
{
    va_list args;
    int used;
    __builtin_va_start(args, format);
    used = vfprintf(stream, format, args);
    __builtin_va_end(args);
    return used;
}

int dprintf(int file, const char *format, ...)
{
    va_list args;
    int used;
    (void)file;
    __builtin_va_start(args, format);
    used = vfprintf(0, format, args);
    __builtin_va_end(args);
    return used;
}

int putchar(int c)
{
    __plumb_printf("%c", c);
    return (unsigned char)c;
}

int puts(const char *text) { return __plumb_printf("%s\n", text); }

int fputc(int c, void *stream)
{
    if (stream == stdout)
        return putchar(c);
    return __plumb_nondet_bool() ? -1 : (unsigned char)c;
}

int putc(int c, void *stream) { return fputc(c, stream); }
int _IO_putc(int c, void *stream) { return fputc(c, stream); }
int putc_unlocked(int c, void *stream) { return fputc(c, stream); }
int putchar_unlocked(int c) { return putchar(c); }

int fputs(const char *text, void *stream)
{
    if (stream == stdout)
        return __plumb_printf("%s", text);
    strlen(text);
    return __plumb_nondet_bool() ? __plumb_refused() : (int)(__plumb_nondet_uint() >> 1);
}

size_t fwrite(const void *from, size_t size, size_t count, void *stream)
{
    size_t put;
    if (stream == stdout) {
        for (size_t i = 0; i < size * count; i++)
            putchar(((const char *)from)[i]);
        return size == 0 ? 0 : count;
    }
    __plumb_touch(from, size * count);
    put = __plumb_nondet_size_t();
    return put < count ? put : count;
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, void *stream)
{
    return fwrite(from, size, count, stream);
}

int fputc_unlocked(int c, void *stream) { return fputc(c, stream); }
int fputs_unlocked(const char *text, void *stream) { return fputs(text, stream); }

void perror(const char *text)
{
    if (text)
        strlen(text);
}

int fflush(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int fflush_unlocked(void *stream) { return fflush(stream); }

/* --- input --- */

int fgetc(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool() ? -1 : __plumb_nondet_uchar();
}

int getchar(void) { return __plumb_nondet_bool() ? -1 : __plumb_nondet_uchar(); }
int getc(void *stream) { return fgetc(stream); }
int _IO_getc(void *stream) { return fgetc(stream); }
int getc_unlocked(void *stream) { return fgetc(stream); }
int getchar_unlocked(void) { return fgetc(stdin); }
int fgetc_unlocked(void *stream) { return fgetc(stream); }

int ungetc(int c, void *stream)
{
    (void)stream;
    __plumb_unsupported("ungetc");
    return c;
}

char *fgets(char *to, int size, void *stream)
{
    int got = 0;
    if (size <= 0)
        return 0;
    while (got < size - 1) {
        int c = fgetc(stream);
        /* At the end of the file the line ends too; after an error there is none. */
        if (c < 0 && got > 0 && __plumb_nondet_bool())
            return 0;
        if (c < 0)
            break;
        to[got] = (char)c;
        got = got + 1;
        if (c == '\n')
            break;
    }
    if (got == 0 && size > 1)
        return 0;
    to[got] = 0;
    return to;
}

char *gets(char *to)
{
    size_t got = 0;
    int c;
    while ((c = fgetc(stdin)) >= 0 && c != '\n') {
        to[got] = (char)c;
        got = got + 1;
    }
    if (c < 0 && got == 0)
        return 0;
    to[got] = 0;
    return to;
}

char *fgets_unlocked(char *to, int size, void *stream) { return fgets(to, size, stream); }

size_t fread(void *to, size_t size, size_t count, void *stream)
{
    size_t got = __plumb_nondet_size_t();
    (void)stream;
    if (size == 0)
        return 0;
    if (got > count)
        got = count;
    /* Of an element that did not come whole, some bytes may have come. */
    if (count > 0)
        __plumb_answer(to, (got < count ? got + 1 : got) * size);
    return got;
}

size_t fread_unlocked(void *to, size_t size, size_t count, void *stream) { return fread(to, size, count, stream); }

/* --- files --- */

static char __plumb_open_streams[64];
static int __plumb_open_count;

void *fopen(const char *path, const char *mode)
{
    strlen(path);
    strlen(mode);
    if (__plumb_nondet_bool()) {
        __plumb_refused();
        return 0;
    }
    if (__plumb_open_count == 64)
        __plumb_unsupported("more than 64 opened files");
    __plumb_open_count = __plumb_open_count + 1;
    return &__plumb_open_streams[__plumb_open_count - 1];
}

void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

void *fdopen(int file, const char *mode)
{
    (void)file;
    return fopen("", mode);
}

void *tmpfile(void) { return fopen("", ""); }

int fclose(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int feof(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool();
}

int ferror(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool();
}

void clearerr(void *stream) { (void)stream; }
void clearerr_unlocked(void *stream) { (void)stream; }
int feof_unlocked(void *stream) { return feof(stream); }
int ferror_unlocked(void *stream) { return ferror(stream); }

/* One thread: a stream is never locked by another. */
void flockfile(void *stream) { (void)stream; }
void funlockfile(void *stream) { (void)stream; }
int ftrylockfile(void *stream) { (void)stream; return 0; }

int fseek(void *stream, long offset, int origin)
{
    (void)stream;
    (void)offset;
    (void)origin;
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

void rewind(void *stream) { (void)stream; }

long ftell(void *stream)
{
    (void)stream;
    return __plumb_nondet_bool() ? __plumb_refused() : (long)(__plumb_nondet_ulong() >> 1);
}

int fseeko(void *stream, long offset, int origin) { return fseek(stream, offset, origin); }
long ftello(void *stream) { return ftell(stream); }

int fileno(void *stream)
{
    if (stream == stdin)
        return 0;
    if (stream == stdout)
        return 1;
    if (stream == stderr)
        return 2;
    return (int)(__plumb_nondet_uint() >> 1);
}

int remove(const char *path)
{
    strlen(path);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

/* What a stream leaves in its buffer is its own business. */
static void __plumb_own_buffer(const char *buffer)
{
    if (buffer)
        __plumb_unsupported("a stream that uses a buffer of the program's");
}

void setbuf(void *stream, char *buffer)
{
    (void)stream;
    __plumb_own_buffer(buffer);
}

void setbuffer(void *stream, char *buffer, size_t size)
{
    (void)size;
    setbuf(stream, buffer);
}

void setlinebuf(void *stream) { (void)stream; }

int setvbuf(void *stream, char *buffer, int mode, size_t size)
{
    (void)stream;
    (void)mode;
    (void)size;
    __plumb_own_buffer(buffer);
    return __plumb_nondet_bool() ? 0 : -1;
}
