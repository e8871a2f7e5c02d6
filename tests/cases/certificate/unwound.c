// args: check --engine bmc --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "unwinding"
// A complete unwinding: the certificate is its bound.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar() & 31, sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 2;
    assert(sum == 2 * n);
    return 0;
}
