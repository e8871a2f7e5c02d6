// args: check --engine bmc --unwind-loop unwind-loop-stops.c:12=4 --timeout 20
// expect: exit 2
// expect: stdout some runs exceed it
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int sum = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    for (int i = 0; i < n; i++)
        sum += 10;
    assert(sum < 42);
    return 0;
}
