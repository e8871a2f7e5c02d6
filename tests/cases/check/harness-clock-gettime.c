// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `clock_gettime`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_nsec != 77);
    return 0;
}
