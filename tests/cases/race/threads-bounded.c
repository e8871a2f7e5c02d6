// More threads than there is room for: fewer, and the user is told.
// args: check --threads 1000000 --engine simulate
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stderr there is not enough memory for 1000000 threads
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    assert(__VERIFIER_nondet_uchar() != 200);
    return 0;
}
