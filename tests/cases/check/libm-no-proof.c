// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout the C library behaves differently
// expect: last UNKNOWN
#include <assert.h>
#include <math.h>

/* True with the host's library, which is one of many. */
static volatile double angle = 1.0;

int main(void)
{
    assert(sin(angle) < 0.85);
    return 0;
}
