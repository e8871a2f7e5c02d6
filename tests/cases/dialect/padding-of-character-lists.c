// To gcc a list of constant characters is a string, which leaves nothing of its array out: padding is not cleared.
// args: check
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
struct name { char text[2]; int value; };
int main(void) {
    struct name name = {{1}, 2};
    assert(name.text[1] == 0);
    assert(((unsigned char *)&name)[3] == 0);
    return 0;
}
