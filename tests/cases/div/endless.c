// The original's run with the inputs of a false alarm has no end and comes back to the same states for ever.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct range {
    int low, high;
};

static void widen(struct range *r, int v)
{
    if (v < r->low)
        r->low = v;
    if (v > r->high)
        r->high = v;
}

int main(void)
{
    struct range r = { 0, 0 };
    for (;;) {
        int v = __VERIFIER_nondet_int();
        if (v < -50 || v > 50)
            break;
        widen(&r, v);
        assert(r.low <= 0 && r.high >= 0 && r.low >= -50);
    }
    return 0;
}
