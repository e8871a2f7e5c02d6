// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// What assembly gives is arbitrary, also where its instructions are known to write no object.
#include <assert.h>
int main(void)
{
    unsigned m;
    __asm volatile("mrs %0, primask" : "=r"(m) :: "memory");
    assert(m != 77);
    return 0;
}
