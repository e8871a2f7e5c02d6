// A local whose address another thread is handed is shared.
// args: check --engine explicit
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <pthread.h>
extern void reach_error(void);

static pthread_t a;

static void *run(void *value)
{
    *(int *)value = 5;
    return 0;
}

int main(void)
{
    int own = 1;
    pthread_create(&a, 0, run, &own);
    int first = own;
    if (first != own)
        reach_error();
    return 0;
}
