// The program goes on after main has left with pthread_exit, and ends with its last thread.
// args: check --engine explicit
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static pthread_t a, b;
static int done;

static void *first(void *unused)
{
    done++;
    return 0;
}

static void *second(void *unused)
{
    pthread_join(a, 0);
    if (done == 1)
        reach_error();
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_exit(0);
}
