// Who runs a program does not change.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(getuid() == getuid());
    assert(getegid() == getegid());
    return 0;
}
