// args: check --engine simulate --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: then confirmed
// More inputs than a witness tells: nearly all values of those left open do.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int left[200000], right[200000];

int main(void)
{
    for (int i = 0; i < 200000; i++) {
        left[i] = __VERIFIER_nondet_int();
        right[i] = __VERIFIER_nondet_int();
    }
    assert(left[150000] == right[150000]);
    return 0;
}
