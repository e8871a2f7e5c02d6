// A range overrides whole elements, and other members of unions in them.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
union either { int i; char c; };
static union either unions[2] = {[0].i = 0x1234, [0 ... 1].c = 0};
int main(void) {
    int rows[2][2] = {[0] = {1, 2}, [0 ... 1] = {3}};
    assert(rows[0][0] == 3 && rows[0][1] == 0 && rows[1][0] == 3);
    assert(unions[0].i == 0);
    char text[2][4] = {"abc", [0 ... 1] = {'x'}};
    assert(text[0][0] == 'x' && text[0][1] == 0);
    return 0;
}
