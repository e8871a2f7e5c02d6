// args: check --engine bmc --unwind 3 --unwind-loop 15=8 --timeout 20
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int sum = 0, n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 0 || n > 100 || m < 0 || m > 100)
        return 0;
    /* Three iterations suffice here. */
    for (int i = 0; i < m; i++)
        sum += 1;
    /* Eight are wanted here, more than the bound of the others. */
    for (int i = 0; i < n; i++)
        sum += 10;
    assert(sum < 82);
    return 0;
}
