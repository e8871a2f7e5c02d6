// A clock that nobody sets does not go back.
// args: check --engine bmc
// expect: exit 0
#include <assert.h>
#include <time.h>
int main(void) {
    struct timespec first, second;
    if (clock_gettime(CLOCK_MONOTONIC, &first) != 0 || clock_gettime(CLOCK_MONOTONIC, &second) != 0)
        return 0;
    assert(second.tv_sec > first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec >= first.tv_nsec));
    return 0;
}
