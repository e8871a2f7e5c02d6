// A list that names every member stores nothing between them: whoever compares bytes compares garbage.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot set the padding of `message`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>
struct message { char kind; int value; };
static const struct message expected = {1, 2};
int main(void) {
    struct message message = {1, 2};
    assert(memcmp(&message, &expected, sizeof message) == 0);
    return 0;
}
