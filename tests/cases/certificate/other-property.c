// args: check --engine kind --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json --checks overflow
// expect: then-exit 1
// expect: last TRUE
// expect: then rejected: it is about the property
// A proof of assertions is none of the absence of overflows.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_bool())
        x = (x + 2) & 1023;
    assert((x & 1) == 0);
    return 0;
}
