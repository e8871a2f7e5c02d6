// A list that leaves a member out, in an inner structure or a union too, or that is mostly zeros, clears the whole object first.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct pair { char kind; int value; };
struct nested { struct pair first; char last; int end; };
union either { char small; struct pair pair; };
static int byte(const void *object, int at) { return ((const unsigned char *)object)[at]; }
int main(void) {
    struct pair partial = {1};
    struct nested inner = {{1}, 2, 3};
    union either either = {.small = 4};
    struct pair many[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 7}};
    struct pair members = {.value = 2, .kind = 1};
    assert(byte(&partial, 1) == 0 && byte(&inner, 1) == 0 && byte(&inner, 9) == 0);
    assert(byte(&either, 1) == 0 && byte(many, 1) == 0 && byte(many, 25) == 0);
    assert(members.kind == 1 && members.value == 2);
    return 0;
}
