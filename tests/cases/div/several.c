// Three units, one of them with a global to write.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int nondet(void);

int level;

int clamp(int v, int low, int high)
{
    if (v < low)
        return low;
    if (v > high)
        return high;
    return v;
}

void adjust(int step)
{
    if (step > 0 && level < 100)
        level = level + 1;
    else if (step < 0 && level > 0)
        level = level - 1;
}

int is_high(int v) { return v > 80; }

int main(void)
{
    level = clamp(nondet(), 10, 90);
    adjust(nondet());
    assert(level >= 9 && level <= 91);
    if (is_high(level))
        assert(level > 80);
    return 0;
}
