// args: check -O2 -mfma
// expect: last TRUE
// expect: stdout assumed: sums and differences of products of floats are rounded twice, as with -ffp-contract=off: residue
#include <assert.h>

static double residue(double a, double b, double c) { return a * b + c; }

int main(void)
{
    assert(residue(1 + 0x1p-30, 1 - 0x1p-30, -1) == 0);
    return 0;
}
