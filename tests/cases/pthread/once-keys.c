// A function runs once, whoever comes first; values of keys are a thread's own.
// args: check --engine explicit
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_t a;
static int runs, mine, yours;

static void initialise(void)
{
    runs++;
    pthread_key_create(&key, 0);
}

static void *run(void *value)
{
    pthread_once(&once, initialise);
    if (runs != 1 || pthread_getspecific(key))
        reach_error();
    pthread_setspecific(key, value);
    if (pthread_getspecific(key) != value)
        reach_error();
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, run, &yours);
    run(&mine);
    pthread_join(a, 0);
    if (pthread_getspecific(key) != &mine)
        reach_error();
    return 0;
}
