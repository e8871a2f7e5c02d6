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

long pread(int file, void *to, size_t size, long offset)
{
    (void)offset;
    return read(file, to, size);
}

long recv(int socket, void *to, size_t size, int flags)
{
    if (flags != 0)
        __plumb_unsupported("recv with flags is not modelled");
    return read(socket, to, size);
}

long getrandom(void *to, size_t size, unsigned flags)
{
    (void)flags;
    return read(0, to, size);
}

/* All or nothing, but what there is after a failure nobody says. */
int getentropy(void *to, size_t size)
{
    if (size > 256)
        return __plumb_refused();
    __plumb_answer(to, size);
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

struct __plumb_iovec {
    char *base;
    size_t size;
};

/* The parts are filled one after the other. */
long readv(int file, const struct __plumb_iovec *parts, int count)
{
    size_t room = 0, rest;
    long got;
    for (int i = 0; i < count; i++)
        room = room + parts[i].size;
    got = __plumb_transferred(__plumb_nondet_size_t(), room, __plumb_nondet_bool());
    (void)file;
    rest = got > 0 ? (size_t)got : 0;
    for (int i = 0; i < count && rest > 0; i++) {
        size_t here = parts[i].size < rest ? parts[i].size : rest;
        __plumb_answer(parts[i].base, here);
        rest = rest - here;
    }
    return got;
}

long write(int file, const void *from, size_t size)
{
    (void)file;
    __plumb_touch(from, size);
    return __plumb_transferred(__plumb_nondet_size_t(), size, __plumb_nondet_bool());
}

long pwrite(int file, const void *from, size_t size, long offset)
{
    (void)offset;
    return write(file, from, size);
}

long send(int socket, const void *from, size_t size, int flags)
{
    (void)flags;
    return write(socket, from, size);
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

/* Two ends that differ. */
int pipe(int ends[2])
{
    if (__plumb_nondet_bool())
        return __plumb_refused();
    ends[0] = (int)(__plumb_nondet_uint() >> 1);
    ends[1] = (int)(__plumb_nondet_uint() >> 1);
    __plumb_assume(ends[0] != ends[1]);
    return 0;
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    (void)domain;
    (void)type;
    (void)protocol;
    return pipe(ends);
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

/* Who runs the program is decided once. */
static unsigned __plumb_identity[4];
static _Bool __plumb_has_identity;

static unsigned __plumb_identity_of(int which)
{
    if (!__plumb_has_identity) {
        __plumb_has_identity = 1;
        for (int i = 0; i < 4; i++)
            __plumb_identity[i] = __plumb_nondet_uint();
    }
    return __plumb_identity[which];
}

unsigned getuid(void) { return __plumb_identity_of(0); }
unsigned geteuid(void) { return __plumb_identity_of(1); }
unsigned getgid(void) { return __plumb_identity_of(2); }
unsigned getegid(void) { return __plumb_identity_of(3); }

/* --- the environment --- */

static char __plumb_environment[8][256];
static int __plumb_environment_used;

/* Variables that the program named: questions for one have one answer, until the program changes it. */
static struct {
    char name[32];
    int known;
    char *value;
} __plumb_variables[16];
static int __plumb_variable_count;

static char *__plumb_environment_value(void)
{
    char *value;
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

/* The variable whose name are the first bytes of a text. */
static int __plumb_variable(const char *name, unsigned long length)
{
    int count = __plumb_variable_count;
    for (int i = 0; i < count; i++)
        if (strncmp(__plumb_variables[i].name, name, length) == 0 && __plumb_variables[i].name[length] == 0)
            return i;
    if (count == 16)
        __plumb_unsupported("more than sixteen names in the environment");
    memcpy(__plumb_variables[count].name, name, length);
    __plumb_variable_count = count + 1;
    return count;
}

static unsigned long __plumb_variable_name_length(const char *name)
{
    unsigned long length = strlen(name);
    if (length > 31)
        __plumb_unsupported("names of more than 31 bytes in the environment");
    return length;
}

static char *__plumb_value_of(int variable)
{
    if (!__plumb_variables[variable].known) {
        __plumb_variables[variable].value = __plumb_environment_value();
        __plumb_variables[variable].known = 1;
    }
    return __plumb_variables[variable].value;
}

static void __plumb_set_variable(int variable, char *value)
{
    __plumb_variables[variable].value = value;
    __plumb_variables[variable].known = 1;
}

char *getenv(const char *name) { return __plumb_value_of(__plumb_variable(name, __plumb_variable_name_length(name))); }

char *secure_getenv(const char *name) { return getenv(name); }

static int __plumb_is_variable_name(const char *name)
{
    return name && *name && strchr(name, '=') == 0;
}

int setenv(const char *name, const char *value, int overwrite)
{
    unsigned long length = strlen(value);
    int variable;
    if (!__plumb_is_variable_name(name) || __plumb_nondet_bool())
        return __plumb_refused();
    variable = __plumb_variable(name, __plumb_variable_name_length(name));
    if (!overwrite && __plumb_value_of(variable))
        return 0;
    if (length > 255)
        __plumb_unsupported("environment variables longer than 255 bytes");
    if (__plumb_environment_used == 8)
        __plumb_unsupported("more than eight values from the environment");
    memcpy(__plumb_environment[__plumb_environment_used], value, length + 1);
    __plumb_set_variable(variable, __plumb_environment[__plumb_environment_used]);
    __plumb_environment_used = __plumb_environment_used + 1;
    return 0;
}

int unsetenv(const char *name)
{
    if (!__plumb_is_variable_name(name))
        return __plumb_refused();
    __plumb_set_variable(__plumb_variable(name, __plumb_variable_name_length(name)), 0);
    return 0;
}

/* The text becomes part of the environment; one without `=` takes its variable away, as glibc has it. */
int putenv(char *text)
{
    char *equals = strchr(text, '=');
    unsigned long length;
    if (equals == 0)
        return unsetenv(text);
    length = (unsigned long)(equals - text);
    if (length > 31)
        __plumb_unsupported("names of more than 31 bytes in the environment");
    if (__plumb_nondet_bool())
        return __plumb_refused();
    __plumb_set_variable(__plumb_variable(text, length), equals + 1);
    return 0;
}

int system(const char *command)
{
    if (command)
        strlen(command);
    return __plumb_nondet_int();
}
