// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// The property that is Plumb's own: assertions.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned seen = 0;
    while (seen < 1000u) {
        if (__VERIFIER_nondet_int())
            seen++;
        assert(seen <= 1000u);
    }
    assert(seen == 1000u);
    return 0;
}
