// Recursive mutexes count, error-checking ones tell, and trylock does not wait.
// args: check --engine explicit
// arch: 32 64
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_mutex_t recursive, checking, normal;
static pthread_mutexattr_t attributes;
static pthread_t a;
static int inside;

static void *other(void *unused)
{
    if (pthread_mutex_unlock(&checking) != 1)
        reach_error();
    pthread_mutex_lock(&recursive);
    if (inside)
        reach_error();
    pthread_mutex_unlock(&recursive);
    return 0;
}

int main(void)
{
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutex_init(&normal, 0);
    if (pthread_mutex_lock(&checking) || pthread_mutex_lock(&checking) != 35)
        reach_error();
    pthread_create(&a, 0, other, 0);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    inside = 1;
    pthread_mutex_unlock(&recursive);
    inside = 0;
    pthread_mutex_unlock(&recursive);
    if (pthread_mutex_unlock(&recursive) != 1)
        reach_error();
    if (pthread_mutex_trylock(&normal) || pthread_mutex_trylock(&normal) != 16)
        reach_error();
    pthread_join(a, 0);
    return 0;
}
