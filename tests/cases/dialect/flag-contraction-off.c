// args: check -O2 -mfma -ffp-contract=off
// expect: last TRUE
// expect: no-stdout assumed:
#include <assert.h>

static double residue(double a, double b, double c) { return a * b + c; }

int main(void)
{
    assert(residue(1 + 0x1p-30, 1 - 0x1p-30, -1) == 0);
    return 0;
}
