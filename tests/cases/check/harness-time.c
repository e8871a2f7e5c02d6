// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `time`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t now = 0;
    time(&now);
    assert(now != 77);
    return 0;
}
