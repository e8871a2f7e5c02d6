// A function of the operating system that has no body here may set errno.
// args: check
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    errno = 0;
    chdir("/nowhere");
    assert(errno == 0);
    return 0;
}
