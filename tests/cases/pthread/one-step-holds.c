// A local whose address another thread does not have is nobody else's.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_t a, b;

static void twice(int *value)
{
    *value = *value + *value;
}

static void *run(void *unused)
{
    int own = 1;
    twice(&own);
    if (own != 2)
        reach_error();
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
