// args: check --timeout 1
// expect: exit 2
// expect: stdout no answer: no violation was found within the timeout of 1 s
// expect: stdout explored:
// expect: last UNKNOWN
// Factors of a product of two large primes: nothing that the engines have finds them in a second.
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned long long a = __VERIFIER_nondet_uint();
    unsigned long long b = __VERIFIER_nondet_uint();
    assert(a * b != 9633832748884915969ull || a == 1 || b == 1);
    return 0;
}
