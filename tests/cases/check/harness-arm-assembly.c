// The harness is built for x86, whose assembler does not know ARM's instructions.
// args: check --arch 32 --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot be built unless compilers for x86 know `ldrex %0, %1`
// expect: last FALSE(unreach-call)
#include <assert.h>
volatile unsigned lock;
int main(void)
{
    unsigned value;
    __asm volatile("ldrex %0, %1" : "=r"(value) : "Q"(lock));
    assert(value != 7);
    return 0;
}
