// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `mktime`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    struct tm when;
    memset(&when, 0, sizeof when);
    when.tm_year = 100;
    when.tm_mday = 40;
    mktime(&when);
    assert(when.tm_mday == 40);
    return 0;
}
