// The program ends when main returns, whatever other threads do.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_t a;
static int ended;

static void *late(void *unused)
{
    if (ended)
        reach_error();
    return 0;
}

static void end(void)
{
    ended = 1;
    ended = 0;
}

int main(void)
{
    pthread_create(&a, 0, late, 0);
    pthread_join(a, 0);
    end();
    return 0;
}
