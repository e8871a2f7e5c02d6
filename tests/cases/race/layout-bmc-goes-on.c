// The first check breaks only under another layout; bounded model checking goes on and breaks the second.
// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout n != 12345
#include <assert.h>
#include <stdint.h>

int __VERIFIER_nondet_int(void);

static int a, b;

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if ((uintptr_t)&a > (uintptr_t)&b + 100000000)
        assert(0);
    assert(n != 12345);
    return 0;
}
