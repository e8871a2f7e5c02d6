// gcc asks for the alignment of what a pointer came from, and does not see sums with zero.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
static double d;
static int wide __attribute__((aligned(32)));
int main(void) {
    assert(__alignof__(((char *)&d)[0]) == 8);
    assert(__alignof__(*((char *)&d + 0)) == 8);
    assert(__alignof__((&wide)[0]) == 32);
    assert(__alignof__((&wide)[1]) == 4);
    return 0;
}
