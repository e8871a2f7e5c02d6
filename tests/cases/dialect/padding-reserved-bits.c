// To gcc a list never names all members of a structure with unnamed bit-fields: it clears the whole object.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
union control {
    struct { unsigned mode : 3, level : 5, : 24; } bits;
    unsigned word;
};
int main(void) {
    union control control = {{1, 2}};
    assert(control.word == (1 | 2 << 3));
    return 0;
}
