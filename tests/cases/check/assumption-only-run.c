// args: check --engine simulate --timeout 20
// expect: stdout holds: the program reads no input
// expect: last TRUE
#include <assert.h>
void __VERIFIER_assume(int);

int main(void)
{
    __VERIFIER_assume(0);
    assert(0);
    return 0;
}
