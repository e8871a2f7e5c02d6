// Compilers compute powers of constants with more digits than the machine has.
// args: check
// expect: exit 2
// expect: stdout how the compiler rounds __builtin_powi of constants is not known
#include <assert.h>
int main(void)
{
    assert(__builtin_powi(1.1, 5) == 1.61051);
    return 0;
}
