// Only a call of it is not supported.
// args: check --engine bmc
// expect: last TRUE
#include <assert.h>
__attribute__((naked)) void switch_context(void) { __asm__ volatile("ret"); }
int main(void)
{
    int x = 1;
    assert(x);
    return 0;
}
