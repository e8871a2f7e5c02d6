// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int input(void);
int main(void) {
    int x = input();
    const int fixed = 3;
    assert(__builtin_constant_p(3 * 4) && __builtin_constant_p("text") && __builtin_constant_p(1.5));
    assert(!__builtin_constant_p(x) && !__builtin_constant_p(-(long)x) && !__builtin_constant_p(x + 1));
    assert(!__builtin_constant_p(input()) && !__builtin_constant_p(fixed) && !__builtin_constant_p("text"[0]));
    return 0;
}
