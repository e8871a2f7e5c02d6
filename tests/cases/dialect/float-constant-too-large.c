// gcc folds a conversion that does not fit to the nearest value.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#include <limits.h>
int main(void) {
    int x = (int)3e9;
    unsigned char c = 300.0;
    unsigned u = -5.0;
    assert(x == INT_MAX && c == 255 && u == 0);
    return 0;
}
