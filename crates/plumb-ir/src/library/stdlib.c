/* <stdlib.h>: memory, numbers from text, chance, program end, sorting.
 *
 * malloc never fails for sizes that an object can have: what a program does when memory runs out is not explored. */

/* --- memory --- */

static int __plumb_too_large(size_t size)
{
    if (size <= (size_t)-1 / 2)
        return 0;
    __plumb_errno = 12; /* ENOMEM */
    return 1;
}

void *malloc(size_t size)
{
    void *p;
    if (__plumb_too_large(size))
        return 0;
    p = __plumb_heap_alloc(size);
    __plumb_havoc(p, size);
    return p;
}

void *calloc(size_t count, size_t size)
{
    size_t total = size != 0 && count > (size_t)-1 / size ? (size_t)-1 : count * size;
    void *p;
    if (__plumb_too_large(total))
        return 0;
    p = __plumb_heap_alloc(total);
    __plumb_mem_set(p, 0, total);
    return p;
}

void free(void *p)
{
    __plumb_free(p);
}

void cfree(void *p)
{
    __plumb_free(p);
}

/* As glibc: a size of zero frees. */
void *realloc(void *old, size_t size)
{
    size_t old_size, kept;
    void *p;
    if (old == 0)
        return malloc(size);
    if (size == 0) {
        __plumb_free(old);
        return 0;
    }
    if (__plumb_too_large(size))
        return 0;
    old_size = __plumb_bytes_left(old);
    kept = old_size < size ? old_size : size;
    p = __plumb_heap_alloc(size);
    __plumb_mem_copy(p, old, kept);
    if (kept < size)
        __plumb_havoc((char *)p + kept, size - kept);
    __plumb_free(old);
    return p;
}

void *reallocarray(void *old, size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size) {
        __plumb_errno = 12;
        return 0;
    }
    return realloc(old, count * size);
}

/* As glibc: an alignment that is no power of two is rounded up to one. */
void *memalign(size_t alignment, size_t size)
{
    size_t rounded = 1;
    void *p;
    if (alignment > (size_t)-1 / 2 + 1) {
        __plumb_errno = 22; /* EINVAL */
        return 0;
    }
    while (rounded < alignment)
        rounded *= 2;
    if (__plumb_too_large(size) || __plumb_too_large(rounded))
        return 0;
    p = __plumb_heap_alloc_aligned(size, rounded);
    __plumb_havoc(p, size);
    return p;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

void *valloc(size_t size)
{
    return memalign(4096, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    int saved = __plumb_errno;
    void *p;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return 22; /* EINVAL */
    p = memalign(alignment, size);
    __plumb_errno = saved;
    if (p == 0)
        return 12; /* ENOMEM */
    *result = p;
    return 0;
}

/* The library may have given more, which may be used. */
size_t malloc_usable_size(void *p)
{
    if (p != 0)
        __plumb_unsupported("malloc_usable_size");
    return 0;
}

/* --- integers --- */

typedef struct { int quot, rem; } __plumb_div_t;
typedef struct { long quot, rem; } __plumb_ldiv_t;
typedef struct { long long quot, rem; } __plumb_lldiv_t;

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
long long imaxabs(long long x) { return x < 0 ? -x : x; }

__plumb_div_t div(int a, int b)
{
    __plumb_div_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

__plumb_ldiv_t ldiv(long a, long b)
{
    __plumb_ldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

__plumb_lldiv_t lldiv(long long a, long long b)
{
    __plumb_lldiv_t r;
    r.quot = a / b;
    r.rem = a % b;
    return r;
}

__plumb_lldiv_t imaxdiv(long long a, long long b) { return lldiv(a, b); }

/* --- chance --- */

/* Numbers after equal seeds are equal, and nobody says which they are: a second seed is not modelled. */
static int __plumb_is_seeded;

static void __plumb_seed(void)
{
    if (__plumb_is_seeded)
        __plumb_unsupported("a second call of srand or srandom, after which numbers may be the same again");
    __plumb_is_seeded = 1;
}

int rand(void) { return (int)(__plumb_nondet_uint() >> 1); }
void srand(unsigned seed) { (void)seed; __plumb_seed(); }

int rand_r(unsigned *seed)
{
    unsigned before = *seed;
    *seed = __plumb_open_next_seed(before);
    return (int)__plumb_open_rand_r(before);
}

long random(void) { return (long)(__plumb_nondet_ulong() & 0x7fffffffUL); }
void srandom(unsigned seed) { (void)seed; __plumb_seed(); }

/* The 48-bit generators, whose formula POSIX has. Before it is seeded the hidden state may be any. */
static unsigned long long __plumb_state48;
static int __plumb_is_seeded48;

static unsigned long long __plumb_next48(unsigned long long state)
{
    return (state * 0x5deece66dULL + 0xb) & 0xffffffffffffULL;
}

static unsigned long long __plumb_hidden48(void)
{
    if (!__plumb_is_seeded48)
        return __plumb_nondet_ulonglong() & 0xffffffffffffULL;
    __plumb_state48 = __plumb_next48(__plumb_state48);
    return __plumb_state48;
}

static unsigned long long __plumb_given48(unsigned short state[3])
{
    unsigned long long next = state[0] | (unsigned long long)state[1] << 16 | (unsigned long long)state[2] << 32;
    next = __plumb_next48(next);
    state[0] = (unsigned short)next;
    state[1] = (unsigned short)(next >> 16);
    state[2] = (unsigned short)(next >> 32);
    return next;
}

void srand48(long seed)
{
    __plumb_is_seeded48 = 1;
    __plumb_state48 = ((unsigned long long)seed & 0xffffffffULL) << 16 | 0x330e;
}

double drand48(void) { return (double)__plumb_hidden48() / 281474976710656.0; }
double erand48(unsigned short state[3]) { return (double)__plumb_given48(state) / 281474976710656.0; }
long lrand48(void) { return (long)(__plumb_hidden48() >> 17); }
long nrand48(unsigned short state[3]) { return (long)(__plumb_given48(state) >> 17); }

/* The upper half as a signed number. */
static long __plumb_signed48(unsigned long long state)
{
    return (long)((long long)(state >> 16) - ((long long)(state >> 47) << 32));
}

long mrand48(void) { return __plumb_signed48(__plumb_hidden48()); }
long jrand48(unsigned short state[3]) { return __plumb_signed48(__plumb_given48(state)); }

unsigned arc4random(void) { return (unsigned)(__plumb_nondet_ulong() & 0xffffffffUL); }
unsigned arc4random_uniform(unsigned limit) { return limit < 2 ? 0 : arc4random() % limit; }
void arc4random_buf(void *to, size_t size) { __plumb_answer(to, size); }

/* --- the end of the program --- */

static void (*__plumb_exit_handlers[64])(void);
static int __plumb_exit_handler_count;

/* The last one first; a handler may register more. */
void __plumb_run_atexit(void)
{
    while (__plumb_exit_handler_count > 0) {
        __plumb_exit_handler_count = __plumb_exit_handler_count - 1;
        __plumb_exit_handlers[__plumb_exit_handler_count]();
    }
}

int atexit(void (*handler)(void))
{
    if (__plumb_exit_handler_count == 64)
        __plumb_unsupported("more than 64 functions registered with atexit");
    /* Named so that a program with handlers has the function that runs them. */
    (void)__plumb_run_atexit;
    __plumb_exit_handlers[__plumb_exit_handler_count] = handler;
    __plumb_exit_handler_count = __plumb_exit_handler_count + 1;
    return 0;
}

void exit(int code)
{
    __plumb_run_atexit();
    __plumb_exit(code);
}

void _exit(int code) { __plumb_exit(code); }
void _Exit(int code) { __plumb_exit(code); }
void quick_exit(int code) { __plumb_exit(code); }
void abort(void) { __plumb_abort(); }

/* --- sorting and searching --- */

/* Sorts and searches compare in an order that C leaves open, and so the place of equal elements. Once at least is asked
 * for it, so that this is known of a run; the answer changes nothing. */
static void __plumb_in_some_order(void) { (void)__plumb_open_truth(1); }

/* The merge sort that glibc's qsort is, so that comparisons come in the same order and equal elements keep theirs. */
static void __plumb_merge_sort(char *base, size_t count, size_t size, int (*compare)(const void *, const void *),
                               char *scratch)
{
    size_t left, right;
    char *a, *b, *out;
    if (count <= 1)
        return;
    left = count / 2;
    right = count - left;
    a = base;
    b = base + left * size;
    __plumb_merge_sort(a, left, size, compare, scratch);
    __plumb_merge_sort(b, right, size, compare, scratch);
    out = scratch;
    while (left > 0 && right > 0) {
        if (compare(a, b) <= 0) {
            __plumb_mem_copy(out, a, size);
            a = a + size;
            left = left - 1;
        } else {
            __plumb_mem_copy(out, b, size);
            b = b + size;
            right = right - 1;
        }
        out = out + size;
    }
    if (left > 0)
        __plumb_mem_copy(out, a, left * size);
    __plumb_mem_copy(base, scratch, (count - right) * size);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *scratch;
    if (count <= 1)
        return;
    __plumb_in_some_order();
    /* On the stack, so that a comparison which ends the program leaves no heap memory behind. */
    scratch = __plumb_stack_alloc(count * size);
    __plumb_merge_sort(base, count, size, compare, scratch);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    if (count > 1)
        __plumb_in_some_order();
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
