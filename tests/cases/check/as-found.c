// args: check --minimise 0 --full-trace --threads 1 --seed 3
// expect: exit 1
// expect: no-stdout are enough
// expect: last FALSE(unreach-call)
#include <assert.h>
extern _Bool button(void);
int main(void)
{
    int presses = 0;
    for (;;) {
        presses += button();
        assert(presses < 10);
    }
}
