// A signal for which nobody waits is lost: who waits then waits for ever, and no run gets to the error.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t a;

static void *idle(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, idle, 0);
    pthread_cond_signal(&c);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    reach_error();
    return 0;
}
