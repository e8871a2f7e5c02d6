// args: check --timeout 20
// expect: exit 2
// expect: stdout a violation was found only with a value of a function such as memcmp or fmin
// expect: last UNKNOWN
#include <assert.h>
#include <string.h>

/* glibc returns 2 and gcc computes 1. */
int main(void)
{
    assert(memcmp("c", "a", 1) == 1);
    return 0;
}
