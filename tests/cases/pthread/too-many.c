// There is room for 31 threads besides main.
// args: run
// expect: exit 2
// expect: stdout more than 31 threads besides main at a time
#include <pthread.h>
extern void reach_error(void);

static pthread_t a;
static int never;

static void *run(void *unused)
{
    if (never)
        reach_error();
    return 0;
}

int main(void)
{
    for (int i = 0; i < 32; i++)
        pthread_create(&a, 0, run, 0);
    return 0;
}
