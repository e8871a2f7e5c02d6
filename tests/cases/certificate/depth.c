// args: check --engine kind --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "induction"
// An induction that may need more than one iteration: three places of a delay line.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char first = 0, second = 0, third = 0;
    while (1) {
        assert(third <= 200);
        third = second;
        second = first;
        first = __VERIFIER_nondet_uchar();
        if (first > 200)
            first = 200;
    }
}
