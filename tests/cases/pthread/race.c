// Two threads add without a lock: an addition can be lost.
// args: check
// arch: 32 64
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static int count;
static pthread_t a, b;

static void *add(void *unused)
{
    count++;
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
