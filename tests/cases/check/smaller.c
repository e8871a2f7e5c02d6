// args: check
// expect: exit 1
// expect: stdout are enough
// expect: last FALSE(unreach-call)
#include <assert.h>
extern _Bool button(void);
int main(void)
{
    int held = 0;
    for (;;) {
        held = button() ? held + 1 : 0;
        assert(held < 9);
    }
}
