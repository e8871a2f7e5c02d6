// Each activation hands the address of an object of its own down: the contract is about the one that a call was given.
//
// args: check --engine div --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: exit 0
// expect: last TRUE
// expect: then confirmed: the contract of `sum` holds
#include <assert.h>
extern unsigned nondet(void);

static void sum(unsigned n, unsigned *out)
{
    if (n == 0) {
        *out = 0;
        return;
    }
    unsigned below;
    sum(n - 1, &below);
    *out = below + 1;
}

int main(void)
{
    unsigned n = nondet(), result = 7;
    sum(n, &result);
    assert(result == n);
    return 0;
}
