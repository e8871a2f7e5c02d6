// A union whose bit-field is given is cleared unless the bit-field needs as many bytes as the union has, as gcc has it.
// args: check --engine bmc
// expect: exit 1
// expect: stdout `byte(&w, 1) == 0` does not hold
#include <assert.h>
union narrow { int bits : 5; };
union wide { short bits : 9; };
union several { unsigned few : 13; unsigned many : 20; };
static int one(void) { return 1; }
static int byte(void *object, int i) { return ((unsigned char *)object)[i]; }
int main(void) {
    union narrow n[1] = { { .bits = one() } };
    union several s = { .few = one() };
    union wide w = { .bits = one() };
    assert(byte(n, 0) == 1 && byte(n, 1) == 0 && byte(n, 2) == 0 && byte(n, 3) == 0);
    assert(byte(&s, 2) == 0 && byte(&s, 3) == 0);
    assert((byte(&w, 1) & 1) == 0);
    assert(byte(&w, 1) == 0);
    return 0;
}
