// args: check --engine bmc
// expect: exit 2
// expect: stdout `__VERIFIER_nondet_array` is no function of the competition
// expect: last UNKNOWN
#include <assert.h>
extern void __VERIFIER_nondet_array(int *array, int length);

int main(void)
{
    int array[2] = { 0, 0 };
    __VERIFIER_nondet_array(array, 2);
    assert(array[0] == 0);
    return 0;
}
