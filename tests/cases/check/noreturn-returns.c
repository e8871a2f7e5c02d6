// Compilers leave out what comes behind the call.
// args: check --engine bmc
// expect: exit 2
// expect: stdout a function that is declared `noreturn` returns
// expect: last UNKNOWN
#include <assert.h>
static void stop(void) __attribute__((noreturn));
static int stopped;

static void stop(void)
{
    stopped = 1;
}

int main(void)
{
    stop();
    assert(0);
}
