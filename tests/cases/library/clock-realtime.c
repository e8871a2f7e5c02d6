// The clock of the wall can be set back.
// args: check --engine bmc
// expect: exit 1
#include <assert.h>
#include <time.h>
int main(void) {
    struct timespec first, second;
    if (clock_gettime(CLOCK_REALTIME, &first) != 0 || clock_gettime(CLOCK_REALTIME, &second) != 0)
        return 0;
    assert(second.tv_sec >= first.tv_sec);
    return 0;
}
