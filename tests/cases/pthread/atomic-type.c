// Updates of _Atomic variables are one step.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static _Atomic int steps, sum;
static pthread_t a, b;

static void *run(void *unused)
{
    steps++;
    sum += steps > 0;
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (steps != 2 || sum != 2)
        reach_error();
    return 0;
}
