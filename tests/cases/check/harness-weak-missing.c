// A weak function that the run is without is not defined by the harness either.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: file h.c 0
#include <assert.h>
extern void hook(void) __attribute__((weak));
int main(void) {
    assert(hook != 0);
    return 0;
}
