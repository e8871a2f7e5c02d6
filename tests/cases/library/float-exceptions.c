// Exceptions are not raised, so nothing can be said of which were.
// args: check --engine bmc
// expect: exit 2
// expect: stdout which floating-point exceptions were raised
// expect: last UNKNOWN
#include <assert.h>
#include <fenv.h>

int main(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    assert(fetestexcept(FE_DIVBYZERO) == 0);
    return 0;
}
