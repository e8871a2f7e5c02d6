// args: check --engine bmc
// expect: exit 2
// expect: stdout inline assembly that may change memory: `movl $1, flag(%rip)`
// expect: last UNKNOWN
// Assembly that says nothing of what it changes may change any object it can name.
#include <assert.h>
int flag;

int main(void)
{
    __asm__ volatile("movl $1, flag(%rip)");
    assert(flag == 0);
    return 0;
}
