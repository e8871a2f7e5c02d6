// The step is not taken apart by what it calls.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
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
    if (count != 2)
        reach_error();
    return 0;
}
