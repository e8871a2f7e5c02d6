// Constants that fit are no reason to give up, and what is computed with variables is not folded.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int input(void);
int main(void) {
    int x = input() & 255;
    unsigned n = x > 7 ? 2.0 : 5.5;
    int rounded = (int)(x + (x < 9 ? -0.5 : 0.5));
    assert(n == 2 || n == 5);
    assert(rounded >= 0 && rounded <= 255);
    return 0;
}
