// A thread that spins does not keep others from running, and a loop that nothing ends is no way to the error.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_t a;
static volatile int go;
static int done;

static void *run(void *unused)
{
    while (!go) {
    }
    done = 1;
    for (;;) {
    }
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    if (done)
        reach_error();
    go = 1;
    while (!done) {
    }
    return 0;
}
