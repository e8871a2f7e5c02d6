// Variables of which every thread has its own are refused where there are threads.
// args: check
// expect: exit 3
// expect: stderr thread-local variables
#include <pthread.h>
extern void reach_error(void);

static __thread int own;
static pthread_t a;

static void *run(void *unused)
{
    own++;
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    if (own)
        reach_error();
    return 0;
}
