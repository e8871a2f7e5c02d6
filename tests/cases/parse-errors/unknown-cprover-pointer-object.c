// args: check
// expect: exit 3
// expect: stderr __CPROVER_POINTER_OBJECT
#include <assert.h>
int main(void)
{
    int x = 1;
    int y = (int)__CPROVER_POINTER_OBJECT(&x);
    assert(x == 1 || y);
    return 0;
}
