// Beyond 40 the controller saturates one step too late: the run is one of the original functions.
//
// args: check --engine div
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern int nondet(void);

int level;

int saturate(int v) { return v > 41 ? 41 : v < 0 ? 0 : v; }

void adjust(int step)
{
    level = saturate(level + step);
}

int main(void)
{
    int step = nondet();
    level = 30;
    if (step < -20 || step > 20)
        return 0;
    adjust(step);
    assert(level <= 40);
    return 0;
}
