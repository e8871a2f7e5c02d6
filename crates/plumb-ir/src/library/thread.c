/* Threads of <pthread.h> on stacks: sequentially consistent, and one of them runs at a time.
 *
 * __plumb_thread_point is called behind every statement that other threads can see (the pass `preempt` puts the calls): another
 * thread may go on there. Who cannot go on (a lock is taken, a thread has not ended) fails an assumption: runs in which a blocked thread is
 * picked are no runs, since picking it later gives the same. A deadlock therefore ends all runs that lead to it. */

unsigned __plumb_stack_new(void (*start)(void *), void *argument);
void __plumb_stack_switch(unsigned stack);
void __plumb_stack_end(unsigned next) __attribute__((noreturn));
/* Whether another thread runs, or which one. */
_Bool __plumb_nondet_schedule(void);

enum { __PLUMB_THREAD_FREE, __PLUMB_THREAD_RUNS, __PLUMB_THREAD_ENDED };
enum { __PLUMB_THREADS = 32, __PLUMB_THREAD_KEYS = 16 };

struct __plumb_thread {
    unsigned char state;
    unsigned char is_detached;
    unsigned char stack;
    void *(*start)(void *);
    void *argument;
    void *result;
    /* The condition that it waits for. */
    const void *awaits;
};

/* The first one is main's. */
static struct __plumb_thread __plumb_threads[__PLUMB_THREADS] = {{__PLUMB_THREAD_RUNS}};
static unsigned __plumb_thread_current;
/* Threads that have not ended, and the number behind that of the last one. */
static unsigned __plumb_thread_alive = 1;
static unsigned __plumb_thread_top = 1;

static void *__plumb_thread_values[__PLUMB_THREADS][__PLUMB_THREAD_KEYS];
static unsigned __plumb_thread_keys;

static int __plumb_thread_can_run(unsigned thread)
{
    return __plumb_threads[thread].state == __PLUMB_THREAD_RUNS && !__plumb_threads[thread].awaits;
}

/* The thread that is the current one now goes on, and this one when somebody switches back. errno is the thread's own. */
static void __plumb_thread_switch(void)
{
    int error = __plumb_errno;
    __plumb_stack_switch(__plumb_threads[__plumb_thread_current].stack);
    __plumb_errno = error;
}

void __plumb_thread_point(void)
{
    unsigned next;
    if (__plumb_thread_alive < 2 || __plumb_atomic_depth)
        return;
    for (next = 0; next < __plumb_thread_top; next++) {
        if (next != __plumb_thread_current && __plumb_thread_can_run(next) && __plumb_nondet_schedule()) {
            __plumb_thread_current = next;
            /* States that differ in who was switched to last are the same. */
            next = 0;
            __plumb_thread_switch();
            return;
        }
    }
}

/* Another thread goes on, and this one does not. Stack 0 lasts as long as the program. */
static void __plumb_thread_leave(void)
{
    unsigned next, last = __PLUMB_THREADS;
    unsigned self = __plumb_thread_current;
    for (next = 0; next < __plumb_thread_top; next++)
        if (__plumb_thread_can_run(next))
            last = next;
    /* All that are left wait for ever. */
    __plumb_assume(last < __PLUMB_THREADS);
    for (next = 0; next < last; next++)
        if (__plumb_thread_can_run(next) && __plumb_nondet_schedule())
            break;
    __plumb_thread_current = next;
    if (self)
        __plumb_stack_end(__plumb_threads[next].stack);
    __plumb_stack_switch(__plumb_threads[next].stack);
    __plumb_assume(0);
}

static void __plumb_thread_forget(unsigned thread)
{
    unsigned key;
    __plumb_threads[thread].state = __PLUMB_THREAD_FREE;
    __plumb_threads[thread].is_detached = 0;
    __plumb_threads[thread].result = 0;
    for (key = 0; key < __plumb_thread_keys; key++)
        __plumb_thread_values[thread][key] = 0;
    while (__plumb_threads[__plumb_thread_top - 1].state == __PLUMB_THREAD_FREE)
        __plumb_thread_top = __plumb_thread_top - 1;
}

/* The last thread to end ends the program. */
void pthread_exit(void *result)
{
    unsigned self = __plumb_thread_current;
    __plumb_thread_alive = __plumb_thread_alive - 1;
    if (__plumb_thread_alive == 0) {
        __plumb_run_atexit();
        __plumb_exit(0);
    }
    __plumb_threads[self].start = 0;
    __plumb_threads[self].argument = 0;
    __plumb_threads[self].stack = 0;
    if (__plumb_threads[self].is_detached) {
        __plumb_thread_forget(self);
    } else {
        __plumb_threads[self].result = result;
        __plumb_threads[self].state = __PLUMB_THREAD_ENDED;
    }
    __plumb_thread_leave();
}

static void __plumb_thread_begin(void *unused)
{
    (void)unused;
    __plumb_errno = 0;
    pthread_exit(__plumb_threads[__plumb_thread_current].start(__plumb_threads[__plumb_thread_current].argument));
}

/* The first int of the attributes tells whether the thread is detached. There is memory for a thread. */
int pthread_create(unsigned long *thread, const int *attributes, void *(*start)(void *), void *argument)
{
    unsigned id = 1;
    while (id < __PLUMB_THREADS && __plumb_threads[id].state != __PLUMB_THREAD_FREE)
        id++;
    if (id == __PLUMB_THREADS)
        __plumb_unsupported("more than 31 threads besides main at a time");
    __plumb_threads[id].state = __PLUMB_THREAD_RUNS;
    __plumb_threads[id].is_detached = attributes && attributes[0];
    __plumb_threads[id].start = start;
    __plumb_threads[id].argument = argument;
    __plumb_threads[id].stack = (unsigned char)__plumb_stack_new(__plumb_thread_begin, 0);
    __plumb_thread_alive = __plumb_thread_alive + 1;
    if (id >= __plumb_thread_top)
        __plumb_thread_top = id + 1;
    *thread = id + 1;
    __plumb_thread_point();
    return 0;
}

int pthread_join(unsigned long thread, void **result)
{
    unsigned long id = thread - 1;
    if (id >= __PLUMB_THREADS || __plumb_threads[id].state == __PLUMB_THREAD_FREE)
        return 3; /* ESRCH */
    if (id == __plumb_thread_current)
        return 35; /* EDEADLK */
    if (__plumb_threads[id].is_detached)
        return 22; /* EINVAL */
    __plumb_assume(__plumb_threads[id].state == __PLUMB_THREAD_ENDED);
    if (result)
        *result = __plumb_threads[id].result;
    if (id)
        __plumb_thread_forget((unsigned)id);
    return 0;
}

int pthread_detach(unsigned long thread)
{
    unsigned long id = thread - 1;
    if (id >= __PLUMB_THREADS || __plumb_threads[id].state == __PLUMB_THREAD_FREE)
        return 3; /* ESRCH */
    if (__plumb_threads[id].is_detached)
        return 22; /* EINVAL */
    __plumb_threads[id].is_detached = 1;
    if (__plumb_threads[id].state == __PLUMB_THREAD_ENDED && id)
        __plumb_thread_forget((unsigned)id);
    return 0;
}

/* In a program that makes no threads main has any number, which stays. Lowering says which programs do. */
static unsigned char __plumb_thread_is_numbered;
static unsigned long __plumb_thread_self;

unsigned long pthread_self(void)
{
    if (__plumb_thread_is_numbered)
        return __plumb_thread_current + 1;
    if (__plumb_thread_self == 0) {
        __plumb_thread_self = __plumb_nondet_ulong();
        __plumb_assume(__plumb_thread_self != 0);
    }
    return __plumb_thread_self;
}

int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

int pthread_attr_init(int *attributes) { attributes[0] = 0; return 0; }
int pthread_attr_destroy(int *attributes) { (void)attributes; return 0; }
int pthread_attr_setdetachstate(int *attributes, int state) { attributes[0] = state; return 0; }
int pthread_attr_getdetachstate(const int *attributes, int *state) { *state = attributes[0]; return 0; }

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    if (destructor)
        __plumb_unsupported("thread-specific data with destructors");
    if (__plumb_thread_keys == __PLUMB_THREAD_KEYS)
        __plumb_unsupported("more than 16 keys of thread-specific data");
    *key = __plumb_thread_keys;
    __plumb_thread_keys = __plumb_thread_keys + 1;
    return 0;
}

int pthread_key_delete(unsigned key) { (void)key; return 0; }

void *pthread_getspecific(unsigned key)
{
    return key < __PLUMB_THREAD_KEYS ? __plumb_thread_values[__plumb_thread_current][key] : 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= __plumb_thread_keys)
        return 22; /* EINVAL */
    __plumb_thread_values[__plumb_thread_current][key] = (void *)value;
    return 0;
}
