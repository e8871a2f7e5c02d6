// The same of parameters and of members.
// args: check
// expect: exit 1
// expect: stdout the assertion `last(3.0L) == 0` does not hold
// expect: last FALSE(unreach-call)
#include <assert.h>
static long double kept;
struct reading { long double value; };
static int last(long double d) { return ((unsigned char *)&d)[11]; }
int main(void) {
    struct reading reading = {2.0L};
    kept = 1.0L;
    assert(((unsigned char *)&kept)[11] == 0);
    assert(reading.value == 2.0L);
    assert(last(3.0L) == 0);
    return 0;
}
