// args: check --engine symexia
// expect: last TRUE
// The sign of a number is followed through iterations.
#include <math.h>
extern void __VERIFIER_assert(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    float x = 1.0f;
    while (__VERIFIER_nondet_uchar())
        if (x < 1e6f)
            x += 0.5f;
    __VERIFIER_assert(!signbit(x));
    return 0;
}
