// args: check --engine simulate --json --timeout 0.2
// expect: exit 2
// expect: stdout "verdict":"UNKNOWN"
// expect: stdout "reason":"no answer: no violation was found within the timeout of 0.2 s"
// expect: stdout "explored":{"allBranches":
// expect: no-stdout "check"
#include <assert.h>
extern _Bool button(void);
int main(void)
{
    for (;;)
        assert(button() < 2);
}
