// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int *buffer(void) __attribute__((returns_nonnull));
int main(void) {
    assert(buffer() != 0);
    return 0;
}
