// A function that is not declared before it is called counts like any other that may fill a `_Bool`.
// args: check
// expect: exit 0
// expect: stdout a _Bool that is read from memory is 0 or 1: flag
// expect: last TRUE
#include <assert.h>

int main(void)
{
    _Bool flag = 0;
    __CPROVER_havoc_object(&flag);
    assert(flag <= 1);
    return 0;
}
