// A compound literal behind a comma is stored where the value goes: padding there keeps what the list around it left.
// args: check --engine bmc
// expect: exit 0
#include <assert.h>
struct pair { int number; char letters[2]; };
static int one(void) { return 1; }
int main(void) {
    struct pair p[2] = { { .number = one() }, (one(), (struct pair) { 0, { one(), 2 } }) };
    unsigned char *bytes = (unsigned char *)&p[1];
    assert(p[1].number == 0 && p[1].letters[0] == 1 && p[1].letters[1] == 2);
    assert(bytes[6] == 0 && bytes[7] == 0);
    return 0;
}
