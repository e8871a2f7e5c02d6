// A compound literal in a list is a part of it: the whole object is cleared or none of it.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct s { char c; int a[2]; };
int main(void) {
    struct s s[2] = {(struct s){1, {2}}, (struct s){1, {2, 3}}};
    assert(((unsigned char *)s)[1] == 0 && ((unsigned char *)(s + 1))[1] == 0);
    assert(s[0].a[1] == 0 && s[1].a[1] == 3);
    struct s single = (struct s){4};
    assert(single.c == 4 && single.a[0] == 0 && single.a[1] == 0);
    return 0;
}
