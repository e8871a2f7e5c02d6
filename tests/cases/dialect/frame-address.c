// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
int main(void) {
    assert(__builtin_frame_address(0) != 0 && __builtin_return_address(0) != 0);
    return 0;
}
