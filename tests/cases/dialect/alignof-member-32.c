// On i386 a member of eight bytes is aligned to four.
// args: check --arch 32
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct s { char c; double d; long long l; } s;
int main(void) {
    assert(__alignof__(s.d) == 4 && __alignof__(s.l) == 4 && __alignof__(double) == 8);
    return 0;
}
