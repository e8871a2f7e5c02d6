// A local that another thread has the address of dies where its function returns, be nothing else visible about that.
// args: check --engine explicit --checks pointer
// expect: exit 1
// expect: last FALSE(valid-deref)
#include <pthread.h>

static pthread_t a;

static void *use(void *value)
{
    *(int *)value = 5;
    return 0;
}

static void hand_out(void)
{
    int own = 1;
    pthread_create(&a, 0, use, &own);
}

int main(void)
{
    hand_out();
    for (;;) {
    }
}
