// Linux gives no program the last page: the harness says that it cannot have a device there.
// args: check --arch 32 --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot have device registers at 0xfffffa00
// expect: last FALSE(unreach-call)
#include <assert.h>
#define STATUS (*(volatile unsigned *)0xFFFFFA00)
int main(void)
{
    assert(STATUS == 3);
    return 0;
}
