// args: check --engine bmc
// expect: exit 2
// expect: stdout an object of a verifier or compiler
// expect: last UNKNOWN
#include <assert.h>
extern int __CPROVER_rounding_mode;

int main(void)
{
    double a = 1, b = 3;
    double first = a / b;
    __CPROVER_rounding_mode = 1;
    double second = a / b;
    assert(first == second);
    return 0;
}
