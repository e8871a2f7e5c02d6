// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `gettimeofday`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <sys/time.h>

int main(void)
{
    struct timeval now = { 0 };
    gettimeofday(&now, 0);
    assert(now.tv_usec != 77);
    return 0;
}
