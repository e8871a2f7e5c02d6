// What a thread returns, or exits with, is what who joins it gets.
// args: check --engine explicit
// arch: 32 64
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_t a, b;
static int first = 1, second = 2;
static void *got;

static void leave(void *with)
{
    pthread_exit(with);
}

static void *one(void *argument)
{
    return argument;
}

static void *two(void *argument)
{
    leave(argument);
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, one, &first);
    pthread_create(&b, 0, two, &second);
    if (pthread_equal(a, b) || pthread_equal(pthread_self(), a))
        reach_error();
    if (pthread_join(b, &got) != 0 || got != &second)
        reach_error();
    if (pthread_join(a, &got) != 0 || got != &first)
        reach_error();
    return 0;
}
