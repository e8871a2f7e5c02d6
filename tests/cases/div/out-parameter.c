// A function that leaves its results in objects of the caller has a contract about what its parameters point to.
//
// args: check --engine div --witness {tmp}/w.yml --certificate {tmp}/c.json --validated
// then: validate --witness {tmp}/w.yml
// expect: exit 0
// expect: last TRUE
// expect: stdout contract of split at
// expect: stdout validated: the contract of `split` holds
// expect: file w.yml *low
// expect: file c.json "pointee"
// expect: then confirmed: the contract of `split` holds
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void split(int v, int *low, int *high)
{
    *low = v & 15;
    *high = (v >> 4) & 15;
}

int main(void)
{
    int low, high;
    while (__VERIFIER_nondet_int()) {
        split(__VERIFIER_nondet_int(), &low, &high);
        assert(low >= 0 && low < 16 && high <= 15);
    }
    return 0;
}
