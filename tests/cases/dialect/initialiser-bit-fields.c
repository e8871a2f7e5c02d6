// Members in braces, and whole structures, override what lies in their bits and no neighbours.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct bits { unsigned a : 4, b : 4; } outside = {{1}, {2}};
struct mixed { char a[2]; int b : 8; };
struct pair { char x, y; };
struct around { struct pair s; int b : 8; };
int main(void) {
    struct bits bits = {{1}, {2}};
    struct mixed mixed = {.b = 5, .a = {1, 2}};
    struct pair pair = {3, 4};
    struct around around = {.b = 5, .s = pair};
    assert(outside.a == 1 && outside.b == 2 && bits.a == 1 && bits.b == 2);
    assert(mixed.b == 5 && mixed.a[1] == 2 && around.b == 5 && around.s.y == 4);
    static struct { int m : 6; } small = {39.6};
    assert(small.m == 31);
    struct { int none[0]; char c; } empty = {1};
    assert(empty.c == 0);
    return 0;
}
