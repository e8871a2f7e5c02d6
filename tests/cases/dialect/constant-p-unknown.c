// gcc folds this one: other compilers may not.
// args: check --timeout 20
// expect: exit 2
// expect: stdout whether the compiler folds the argument of __builtin_constant_p is not known
#include <assert.h>
extern int input(void);
int main(void) {
    int x = input();
    assert(!__builtin_constant_p(x * 0));
    return 0;
}
