/* Locks, conditions, barriers of <pthread.h>; <semaphore.h>.
 *
 * Static initialisers are zero but for the kind of a mutex. A mutex: [0] taken, [1] how often, [2] by whom; a read-write lock: [0] readers, [1] writer; a barrier:
 * [0] how many it needs, [1] how many wait, [2] its round; a semaphore: [0] its value. */

/* The kind of a mutex is its fifth int on 64-bit machines and its fourth on 32-bit ones: 0 and 3 block their own holder, 1 counts, 2 tells. */
static int __plumb_mutex_kind(const int *mutex)
{
    int kind = mutex[sizeof(long) == 8 ? 4 : 3];
    if (kind < 0 || kind > 3)
        __plumb_unsupported("robust mutexes and mutexes with priorities");
    return kind == 3 ? 0 : kind;
}

int pthread_mutexattr_init(int *attributes) { *attributes = 0; return 0; }
int pthread_mutexattr_destroy(int *attributes) { (void)attributes; return 0; }
int pthread_mutexattr_settype(int *attributes, int kind) { *attributes = kind; return 0; }
int pthread_mutexattr_gettype(const int *attributes, int *kind) { *kind = *attributes; return 0; }

int pthread_mutex_init(int *mutex, const int *attributes)
{
    mutex[0] = 0;
    mutex[1] = 0;
    mutex[2] = 0;
    mutex[sizeof(long) == 8 ? 4 : 3] = attributes ? *attributes : 0;
    return 0;
}

int pthread_mutex_destroy(int *mutex) { return *mutex ? 16 : 0; /* EBUSY */ }

/* The mutex is free. */
static int __plumb_mutex_take(int *mutex, int kind)
{
    mutex[0] = 1;
    if (kind) {
        mutex[1] = 1;
        mutex[2] = (int)__plumb_thread_current + 1;
    }
    return 0;
}

int pthread_mutex_lock(int *mutex)
{
    int kind = __plumb_mutex_kind(mutex);
    if (kind && mutex[0] && mutex[2] == (int)__plumb_thread_current + 1) {
        if (kind == 2)
            return 35; /* EDEADLK */
        mutex[1] = mutex[1] + 1;
        return 0;
    }
    __plumb_assume(!mutex[0]);
    return __plumb_mutex_take(mutex, kind);
}

int pthread_mutex_trylock(int *mutex)
{
    int kind = __plumb_mutex_kind(mutex);
    if (mutex[0]) {
        if (kind != 1 || mutex[2] != (int)__plumb_thread_current + 1)
            return 16; /* EBUSY */
        mutex[1] = mutex[1] + 1;
        return 0;
    }
    return __plumb_mutex_take(mutex, kind);
}

/* Time passes only while the mutex is taken. */
int pthread_mutex_timedlock(int *mutex, const void *until)
{
    (void)until;
    if (mutex[0] && __plumb_nondet_bool())
        return 110; /* ETIMEDOUT */
    return pthread_mutex_lock(mutex);
}

int pthread_mutex_unlock(int *mutex)
{
    int kind = __plumb_mutex_kind(mutex);
    if (kind) {
        if (!mutex[0] || mutex[2] != (int)__plumb_thread_current + 1)
            return 1; /* EPERM */
        mutex[1] = mutex[1] - 1;
        if (mutex[1])
            return 0;
        mutex[2] = 0;
    }
    mutex[0] = 0;
    return 0;
}

int pthread_spin_init(int *lock, int shared) { (void)shared; *lock = 0; return 0; }
int pthread_spin_destroy(int *lock) { (void)lock; return 0; }
int pthread_spin_unlock(int *lock) { *lock = 0; return 0; }

int pthread_spin_lock(int *lock)
{
    __plumb_assume(!*lock);
    *lock = 1;
    return 0;
}

int pthread_spin_trylock(int *lock)
{
    if (*lock)
        return 16; /* EBUSY */
    *lock = 1;
    return 0;
}

int pthread_rwlock_init(int *lock, const void *attributes)
{
    (void)attributes;
    lock[0] = 0;
    lock[1] = 0;
    return 0;
}

int pthread_rwlock_destroy(int *lock) { return lock[0] || lock[1] ? 16 : 0; /* EBUSY */ }

int pthread_rwlock_rdlock(int *lock)
{
    __plumb_assume(!lock[1]);
    lock[0] = lock[0] + 1;
    return 0;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    if (lock[1])
        return 16; /* EBUSY */
    lock[0] = lock[0] + 1;
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __plumb_assume(!lock[0] && !lock[1]);
    lock[1] = 1;
    return 0;
}

int pthread_rwlock_trywrlock(int *lock)
{
    if (lock[0] || lock[1])
        return 16; /* EBUSY */
    lock[1] = 1;
    return 0;
}

int pthread_rwlock_unlock(int *lock)
{
    if (lock[1])
        lock[1] = 0;
    else
        lock[0] = lock[0] - 1;
    return 0;
}

int pthread_condattr_init(int *attributes) { *attributes = 0; return 0; }
int pthread_condattr_destroy(int *attributes) { (void)attributes; return 0; }
int pthread_cond_init(void *condition, const void *attributes) { (void)condition; (void)attributes; return 0; }
int pthread_cond_destroy(void *condition) { (void)condition; return 0; }

/* Nobody is woken without a cause. */
int pthread_cond_wait(void *condition, int *mutex)
{
    unsigned self = __plumb_thread_current;
    __plumb_threads[self].awaits = condition;
    pthread_mutex_unlock(mutex);
    __plumb_thread_point();
    __plumb_assume(!__plumb_threads[self].awaits);
    return pthread_mutex_lock(mutex);
}

/* Time may be up at once, or any time later. */
int pthread_cond_timedwait(void *condition, int *mutex, const void *until)
{
    unsigned self = __plumb_thread_current;
    (void)until;
    if (__plumb_nondet_bool()) {
        pthread_mutex_unlock(mutex);
        __plumb_thread_point();
        pthread_mutex_lock(mutex);
        return 110; /* ETIMEDOUT */
    }
    return pthread_cond_wait(condition, mutex);
}

int pthread_cond_signal(void *condition)
{
    unsigned i, last = __PLUMB_THREADS;
    for (i = 0; i < __plumb_thread_top; i++)
        if (__plumb_threads[i].awaits == condition)
            last = i;
    if (last == __PLUMB_THREADS)
        return 0;
    for (i = 0; i < last; i++)
        if (__plumb_threads[i].awaits == condition && __plumb_nondet_schedule())
            break;
    __plumb_threads[i].awaits = 0;
    __plumb_thread_point();
    return 0;
}

int pthread_cond_broadcast(void *condition)
{
    unsigned i;
    for (i = 0; i < __plumb_thread_top; i++)
        if (__plumb_threads[i].awaits == condition)
            __plumb_threads[i].awaits = 0;
    __plumb_thread_point();
    return 0;
}

int pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count)
{
    (void)attributes;
    if (count == 0)
        return 22; /* EINVAL */
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    return 0;
}

int pthread_barrier_destroy(unsigned *barrier) { (void)barrier; return 0; }

int pthread_barrier_wait(unsigned *barrier)
{
    unsigned round = barrier[2];
    barrier[1] = barrier[1] + 1;
    if (barrier[1] == barrier[0]) {
        barrier[1] = 0;
        barrier[2] = round + 1;
        __plumb_thread_point();
        return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
    }
    __plumb_thread_point();
    __plumb_assume(barrier[2] != round);
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
    __plumb_assume(*semaphore > 0);
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

int sem_getvalue(int *semaphore, int *value)
{
    *value = *semaphore;
    return 0;
}

int sem_destroy(int *semaphore)
{
    (void)*semaphore;
    return 0;
}

/* 1 while the function runs, 2 behind it. Who comes meanwhile waits. */
int pthread_once(int *once, void (*function)(void))
{
    if (*once == 0) {
        *once = 1;
        __plumb_thread_point();
        function();
        *once = 2;
        __plumb_thread_point();
    }
    __plumb_assume(*once == 2);
    return 0;
}
