// args: check --arch 32
// expect: exit 0
// expect: last TRUE
#include <assert.h>
int main(void) {
    assert(-1 < 2147483648);
    return 0;
}
