// The same of symbolic execution.
// args: check --engine symexia
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout depends on the addresses of objects
// expect: no-stdout internal error
#include <assert.h>
#include <stdint.h>

int __VERIFIER_nondet_int(void);

static int a, b;

int main(void)
{
    if (__VERIFIER_nondet_int())
        assert((uintptr_t)&a != (uintptr_t)&b + 1000000);
    return 0;
}
