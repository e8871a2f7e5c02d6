// A store of a long double writes ten bytes; what lies behind them stays.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot set the padding of `d`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>
int main(void) {
    long double d = 1.0L;
    unsigned char bytes[sizeof d];
    memcpy(bytes, &d, sizeof d);
    assert(bytes[9] == 0x3f);
    assert(bytes[12] == 0);
    return 0;
}
