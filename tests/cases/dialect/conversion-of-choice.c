// gcc folds the conversion of an arm that does not fit, to 0 here, and not where the arm is a variable: nobody knows which.
// args: check --timeout 20
// expect: exit 2
// expect: stdout a conversion of a floating value that does not fit, of which compilers may have folded a part
#include <assert.h>
extern int input(void);
int main(void) {
    unsigned n = input() ? 2.0 : -5.5;
    assert(n == 2 || n == 0);
    return 0;
}
