// args: check --validated
// expect: last TRUE
// expect: stdout validated: its abstract states at loop heads are inductive
// The default run has its own proof checked.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x = 0;
    while (1) {
        if (__VERIFIER_nondet_bool() && x < 10)
            x++;
        else
            x = 0;
        assert(x <= 10);
    }
}
