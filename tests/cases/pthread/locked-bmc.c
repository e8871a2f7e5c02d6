// The same by unwinding.
// args: check --engine bmc
// arch: 64
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static int count;
static pthread_t a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2)
        reach_error();
    return 0;
}
