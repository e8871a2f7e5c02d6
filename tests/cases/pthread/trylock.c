// Who only looks whether a lock is free can see it taken before its holder has done anything else.
// args: check --engine explicit
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t a;
static int begun;

static void *hold(void *unused)
{
    pthread_mutex_lock(&m);
    begun = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, hold, 0);
    if (pthread_mutex_trylock(&m) && !begun)
        reach_error();
    return 0;
}
