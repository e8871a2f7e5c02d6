// Read-write locks, barriers and semaphores.
// args: check --engine explicit
// arch: 32 64
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);

static pthread_rwlock_t lock;
static pthread_barrier_t barrier;
static sem_t tokens;
static pthread_t a;
static int shared, before, serial;

static void pass(void)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
}

static void *run(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    shared = 1;
    shared = 2;
    pthread_rwlock_unlock(&lock);
    before = 1;
    pass();
    sem_post(&tokens);
    return 0;
}

int main(void)
{
    pthread_rwlock_init(&lock, 0);
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&tokens, 0, 0);
    pthread_create(&a, 0, run, 0);
    pthread_rwlock_rdlock(&lock);
    if (shared == 1)
        reach_error();
    pthread_rwlock_unlock(&lock);
    pass();
    if (!before)
        reach_error();
    sem_wait(&tokens);
    if (serial > 1)
        reach_error();
    pthread_join(a, 0);
    if (serial != 1)
        reach_error();
    return 0;
}
