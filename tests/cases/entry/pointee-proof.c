// Whatever the object holds: a proof, under what is assumed of the pointer.
// args: check --entry clamp --checks all --engine bmc
// expect: last TRUE
// expect: stdout assumed: pointers given to the entry function
#include <assert.h>
struct range { int low, high; _Bool closed; };
int clamp(const struct range *r, int x)
{
    if (!r || r->low > r->high)
        return 0;
    int y = x < r->low ? r->low : x > r->high ? r->high : x;
    assert(r->low <= y && y <= r->high);
    assert(r->closed < 2);
    return y;
}
