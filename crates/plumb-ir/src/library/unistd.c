/* <unistd.h>, <fcntl.h>: the operating system answers as it likes. */

/* A count up to `size`, or -1. */
static long __plumb_transferred(size_t chosen, size_t size, int failed)
{
    if (failed)
        return -1;
    return (long)(chosen < size ? chosen : size);
}

long read(int file, void *to, size_t size)
{
    long got = __plumb_transferred(__plumb_nondet_size_t(), size, __plumb_nondet_bool());
    (void)file;
    if (got > 0)
        __plumb_havoc(to, (size_t)got);
    return got;
}

long write(int file, const void *from, size_t size)
{
    (void)file;
    (void)from;
    return __plumb_transferred(__plumb_nondet_size_t(), size, __plumb_nondet_bool());
}

int open(const char *path, int flags, ...)
{
    (void)*path;
    (void)flags;
    return __plumb_nondet_bool() ? -1 : (int)(__plumb_nondet_uint() >> 1);
}

int close(int file)
{
    (void)file;
    return __plumb_nondet_bool() ? 0 : -1;
}

int isatty(int file)
{
    (void)file;
    return __plumb_nondet_bool();
}

int getpid(void)
{
    int id = (int)(__plumb_nondet_uint() >> 1);
    return id > 0 ? id : 1;
}
