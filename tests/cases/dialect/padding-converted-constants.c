// Characters that a conversion changes are constants like others: such a list is a string to gcc, and nothing is cleared for it.
// args: check --engine bmc
// expect: exit 1
// expect: stdout `byte(&m, 1) != 89` does not hold
#include <assert.h>
struct message { char kind; short count; unsigned char text[3]; };
static int zero(void) { return 0; }
static int byte(void *object, int i) { return ((unsigned char *)object)[i]; }
int main(void) {
    struct message m = { 1, zero(), { 2, -1 } };
    assert(byte(&m, 4) == 2 && byte(&m, 5) == 255 && byte(&m, 6) == 0);
    assert(byte(&m, 1) != 89);
    return 0;
}
