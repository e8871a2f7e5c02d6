// args: check --engine bmc
// expect: exit 2
// expect: stdout a naked function
#include <assert.h>
__attribute__((naked)) int read_control(void) { __asm__ volatile("ret"); }
int main(void)
{
    int x = read_control();
    assert(x == x);
    return 0;
}
