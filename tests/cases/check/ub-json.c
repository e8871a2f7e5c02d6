// args: check --engine bmc --json
// expect: exit 0
// expect: stdout "assumed":"no run divides by zero"
// expect: stdout "check":"div-by-zero"
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    int divisor = __VERIFIER_nondet_int();
    assert(100 / divisor <= 100);
    return 0;
}
