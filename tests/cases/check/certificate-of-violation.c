// args: check --certificate {tmp}/c
// expect: exit 1
// expect: stdout could not write the certificate
// expect: stdout it is written for proofs only, and the answer is FALSE
// expect: last FALSE(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    assert(__VERIFIER_nondet_int() != 7);
    return 0;
}
