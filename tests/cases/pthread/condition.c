// Who waits for a condition goes on after it was signalled, with the lock.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static int ready, value;
static pthread_t a;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    pthread_mutex_lock(&m);
    value = 7;
    ready = 1;
    pthread_cond_signal(&c);
    value++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, produce, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    if (value != 8)
        reach_error();
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
