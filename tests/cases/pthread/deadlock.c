// Locks in opposite order: runs that get stuck are over, and the others get to the end.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static int inside;
static pthread_t a;
static pthread_mutex_t m, n;

static void *run(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    pthread_join(a, 0);
    return 0;
}
