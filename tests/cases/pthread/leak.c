// Leaks of programs with threads are refused.
// args: check --checks leak
// expect: exit 3
// expect: stderr leaks are not looked for in programs with threads
#include <pthread.h>
#include <stdlib.h>

static pthread_t a;

static void *run(void *unused)
{
    return malloc(1);
}

int main(void)
{
    pthread_create(&a, 0, run, 0);
    return 0;
}
