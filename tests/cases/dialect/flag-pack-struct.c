// Every record is packed; what has an alignment of its own keeps it.
// args: check -fpack-struct
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#pragma pack(4)
struct s { char c; int i; };
struct aligned { char c; int i __attribute__((aligned(8))); };
int main(void) {
    assert(sizeof(struct s) == 5);
    assert(__builtin_offsetof(struct aligned, i) == 8);
    return 0;
}
