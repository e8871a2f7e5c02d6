// args: check
// arch: 32
// expect: exit 0
// expect: stdout holds: every assertion of the program is constant
// expect: last TRUE
#include <assert.h>
int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4);
    return 0;
}
