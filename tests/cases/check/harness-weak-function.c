// Whether a weak function exists is the linker's business: the harness defines it or leaves it out.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: file h.c hook()
#include <assert.h>
extern void hook(void) __attribute__((weak));
extern int choose(void) __attribute__((weak));
int main(void) {
    if (hook) hook();
    assert(!hook || choose != 0);
    return 0;
}
