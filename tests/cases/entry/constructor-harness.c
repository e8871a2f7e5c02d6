// A constructor that runs before main is not what the harness calls.
// args: check --engine bmc --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: no-stdout objcopy
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(!ready || x != 42);
    return 0;
}
