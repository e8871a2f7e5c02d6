// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `self != 7` does not hold
#include <assert.h>
#include <pthread.h>

int main(void)
{
    unsigned long self = (unsigned long)pthread_self();
    assert(pthread_equal(pthread_self(), pthread_self()));
    assert(self != 7);
    return 0;
}
