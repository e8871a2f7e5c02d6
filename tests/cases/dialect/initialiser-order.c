// As in gcc, values are evaluated in the order of members and elements, and those that are overridden not at all.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct inner { int a, b; };
struct outer { struct inner s; int c; };
static int calls, order;
static int next(int value) { order = order * 10 + value; calls++; return value; }
int main(void) {
    struct inner swapped = {.b = next(2), .a = next(1)};
    assert(order == 12 && swapped.a == 1 && swapped.b == 2);
    int i = 0;
    int array[3] = {[2] = i++, [0] = i++};
    assert(array[0] == 0 && array[1] == 0 && array[2] == 1);
    calls = 0;
    int twice[1] = {[0] = next(1), [0] = next(2)};
    assert(calls == 1 && twice[0] == 2);
    struct inner s = {1, 2};
    struct outer dropped = {.s = s, .s.b = 9};
    assert(dropped.s.a == 0 && dropped.s.b == 9);
    struct outer literal = {.s = (struct inner){next(5), 6}, .s.b = 9};
    assert(calls == 1 && literal.s.a == 0 && literal.s.b == 9);
    struct outer listed = {.s = {1, 2}, .s.b = 9};
    assert(listed.s.a == 1 && listed.s.b == 9);
    char text[2][4] = {"abc", "def", [0][1] = 'x'};
    assert(text[0][0] == 'a' && text[0][1] == 'x' && text[0][2] == 'c');
    return 0;
}
