/* <unistd.h>, <fcntl.h> and the environment: the operating system answers as it likes. */

/* A count up to `size`, or -1. */
static long __plumb_transferred(size_t chosen, size_t size, int failed)
{
    if (failed)
        return __plumb_refused();
    return (long)(chosen < size ? chosen : size);
}

long read(int file, void *to, size_t size)
{
    long got = __plumb_transferred(__plumb_nondet_size_t(), size, __plumb_nondet_bool());
    (void)file;
    if (got > 0)
        __plumb_answer(to, (size_t)got);
    return got;
}

long write(int file, const void *from, size_t size)
{
    (void)file;
    __plumb_touch(from, size);
    return __plumb_transferred(__plumb_nondet_size_t(), size, __plumb_nondet_bool());
}

int open(const char *path, int flags, ...)
{
    (void)flags;
    strlen(path);
    return __plumb_nondet_bool() ? __plumb_refused() : (int)(__plumb_nondet_uint() >> 1);
}

int close(int file)
{
    (void)file;
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int isatty(int file)
{
    (void)file;
    if (__plumb_nondet_bool())
        return 1;
    __plumb_refused();
    return 0;
}

static int __plumb_process;

int getpid(void)
{
    if (__plumb_process == 0) {
        __plumb_process = (int)(__plumb_nondet_uint() >> 1);
        if (__plumb_process == 0)
            __plumb_process = 1;
    }
    return __plumb_process;
}

/* --- the environment --- */

static char __plumb_environment[8][256];
static int __plumb_environment_used;

/* Each answer has a place of its own. Two questions for one name may differ, which they do not in the real world. */
char *getenv(const char *name)
{
    char *value;
    strlen(name);
    if (!__plumb_nondet_bool())
        return 0;
    if (__plumb_environment_used == 8)
        __plumb_unsupported("more than eight values from the environment");
    /* One value of many, so that random runs seldom end here. */
    if (__plumb_nondet_uint() == 51937u)
        __plumb_unsupported("environment variables longer than 255 bytes");
    value = __plumb_environment[__plumb_environment_used];
    __plumb_environment_used = __plumb_environment_used + 1;
    __plumb_answer(value, 255);
    return value;
}

char *secure_getenv(const char *name) { return getenv(name); }

int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    strlen(name);
    strlen(value);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int unsetenv(const char *name)
{
    strlen(name);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int putenv(char *text)
{
    strlen(text);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int system(const char *command)
{
    if (command)
        strlen(command);
    return __plumb_nondet_int();
}
