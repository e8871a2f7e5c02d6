// The bits behind the last bit-field keep what lies there.
// args: check
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>
struct flags { unsigned a : 3, b : 4; };
int main(void) {
    struct flags flags = {1, 2};
    unsigned word;
    memcpy(&word, &flags, sizeof word);
    assert(word == (1 | 2 << 3));
    return 0;
}
