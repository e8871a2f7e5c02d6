// Before C99 a decimal constant that does not fit long is unsigned long.
// args: check --arch 32 -std=gnu89
// expect: exit 0
// expect: last TRUE
#include <assert.h>
int main(void) {
    assert(!(-1 < 2147483648));
    assert(-1 < 2147483647);
    assert(sizeof(4294967296) == 8);
    return 0;
}
