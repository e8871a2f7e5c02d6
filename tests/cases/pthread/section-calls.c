// A function that an atomic function calls is part of the step, although elsewhere it is interrupted.
// args: check --engine explicit
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static int count, other;
static pthread_t a, b;

static void add(int *to)
{
    *to = *to + 1;
}

static void __VERIFIER_atomic_add(void)
{
    add(&count);
}

static void *run(void *unused)
{
    __VERIFIER_atomic_add();
    add(&other);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count == 2 && other != 2)
        reach_error();
    return 0;
}
