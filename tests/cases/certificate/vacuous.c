// args: check --validated
// expect: last TRUE
// expect: stdout holds: every assertion of the program is constant, or where no run gets to
// expect: stdout validated: no function that a run can get to has anything to break
// The loop has no end, and may leave its array: neither matters to what no run gets to.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int cells[2];

int main(void)
{
    while (1) {
        int at = __VERIFIER_nondet_int();
        cells[at] += 1;
        if (-128)
            continue;
        assert(at != 1);
    }
}
