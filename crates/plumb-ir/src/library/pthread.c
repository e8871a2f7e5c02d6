/* <pthread.h>, <semaphore.h> for a program with one thread: pthread_create itself is not supported, so whatever is locked
 * was locked by the caller, and waiting for anybody else is waiting for ever.
 *
 * Mutexes and semaphores are zero when their static initialisers leave them unlocked; their first int holds the state. */

/* No run goes on from here. */
static void __plumb_wait_for_ever(void) { __plumb_assume(0); }

/* The kind of a mutex is its fifth int on 64-bit machines and its fourth on 32-bit ones; only normal ones block their own
 * holder. */
static void __plumb_normal_mutex(const int *mutex)
{
    if (mutex[sizeof(long) == 8 ? 4 : 3] != 0)
        __plumb_unsupported("recursive, error-checking and robust mutexes");
}

int pthread_mutex_init(int *mutex, const void *attributes)
{
    if (attributes)
        __plumb_unsupported("mutexes with attributes");
    *mutex = 0;
    mutex[sizeof(long) == 8 ? 4 : 3] = 0;
    return 0;
}

int pthread_mutex_destroy(int *mutex) { return *mutex ? 16 : 0; /* EBUSY */ }

int pthread_mutex_lock(int *mutex)
{
    __plumb_normal_mutex(mutex);
    if (*mutex)
        __plumb_wait_for_ever();
    *mutex = 1;
    return 0;
}

int pthread_mutex_trylock(int *mutex)
{
    __plumb_normal_mutex(mutex);
    if (*mutex)
        return 16; /* EBUSY */
    *mutex = 1;
    return 0;
}

int pthread_mutex_unlock(int *mutex)
{
    *mutex = 0;
    return 0;
}

int pthread_spin_init(int *lock, int shared) { (void)shared; *lock = 0; return 0; }
int pthread_spin_unlock(int *lock) { *lock = 0; return 0; }

int pthread_spin_lock(int *lock)
{
    if (*lock)
        __plumb_wait_for_ever();
    *lock = 1;
    return 0;
}

int pthread_cond_init(void *condition, const void *attributes) { (void)condition; (void)attributes; return 0; }
int pthread_cond_destroy(void *condition) { (void)condition; return 0; }
int pthread_cond_signal(void *condition) { (void)condition; return 0; }
int pthread_cond_broadcast(void *condition) { (void)condition; return 0; }

/* Wake-ups without a cause are allowed, so this returns. */
int pthread_cond_wait(void *condition, int *mutex)
{
    (void)condition;
    (void)*mutex;
    return 0;
}

int sem_init(int *semaphore, int shared, unsigned value)
{
    (void)shared;
    *semaphore = (int)value;
    return 0;
}

int sem_wait(int *semaphore)
{
    if (*semaphore <= 0)
        __plumb_wait_for_ever();
    *semaphore = *semaphore - 1;
    return 0;
}

int sem_trywait(int *semaphore)
{
    if (*semaphore <= 0) {
        __plumb_errno = 11; /* EAGAIN */
        return -1;
    }
    *semaphore = *semaphore - 1;
    return 0;
}

int sem_post(int *semaphore)
{
    *semaphore = *semaphore + 1;
    return 0;
}

int sem_destroy(int *semaphore)
{
    (void)*semaphore;
    return 0;
}

static void *__plumb_thread_values[64];
static unsigned __plumb_thread_keys;

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    if (destructor)
        __plumb_unsupported("thread-specific data with destructors");
    if (__plumb_thread_keys == 64)
        __plumb_unsupported("more than 64 keys of thread-specific data");
    *key = __plumb_thread_keys;
    __plumb_thread_keys = __plumb_thread_keys + 1;
    return 0;
}

int pthread_key_delete(unsigned key) { (void)key; return 0; }

void *pthread_getspecific(unsigned key) { return key < 64 ? __plumb_thread_values[key] : 0; }

int pthread_setspecific(unsigned key, const void *value)
{
    if (key >= __plumb_thread_keys)
        return 22; /* EINVAL */
    __plumb_thread_values[key] = (void *)value;
    return 0;
}

int pthread_once(int *once, void (*function)(void))
{
    if (*once == 0) {
        *once = 2;
        function();
    }
    return 0;
}

static unsigned long __plumb_thread_self;

/* Whatever the number is, it stays. */
unsigned long pthread_self(void)
{
    if (__plumb_thread_self == 0) {
        __plumb_thread_self = __plumb_nondet_ulong();
        __plumb_assume(__plumb_thread_self != 0);
    }
    return __plumb_thread_self;
}

int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

/* The last thread to end ends the program. */
void pthread_exit(void *result)
{
    (void)result;
    __plumb_run_atexit();
    __plumb_exit(0);
}

int pthread_join(unsigned long thread, void **result)
{
    (void)result;
    return thread == pthread_self() ? 35 : 3; /* EDEADLK; ESRCH, since there is no other thread */
}
