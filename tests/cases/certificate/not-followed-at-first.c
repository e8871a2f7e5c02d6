// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// Where all that an iteration may write counts as changed, there are states that cannot be followed; where a solver is asked
// what a feasible one changes, there are none.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int table[2] = {0, 1};
        int chosen = __VERIFIER_nondet_int();
        if (chosen == 0 || chosen == 1)
            assert(table[chosen] == chosen);
    }
    int count = __VERIFIER_nondet_int();
    if (count > 0 && count < 3) {
        int ones[count], sum = 0;
        for (int i = 0; i < count; i++)
            ones[i] = 1;
        for (int i = 0; i < count; i++)
            sum += ones[i];
        assert(sum == count);
    }
    return 0;
}
