// args: check --engine bmc
// expect: exit 2
// expect: stdout inline assembly that may change memory: `str r0, [r1]`
// expect: last UNKNOWN
#include <assert.h>
static int level;

int main(void)
{
    __asm volatile("cpsid i; str r0, [r1]; cpsie i" ::: "memory");
    assert(level == 0);
    return 0;
}
