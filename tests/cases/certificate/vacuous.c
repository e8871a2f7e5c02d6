// args: check --validated
// expect: last TRUE
// expect: stdout holds: every assertion of the program is constant or unreachable
// expect: stdout validated: no reachable function contains a check
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
