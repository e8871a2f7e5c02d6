// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int stage, owner = 3, value, first;
int main(void)
{
    for (;;) {
        int run = __VERIFIER_nondet_int();
        if (owner == 0 && run == 0) {
            if (stage == 1)
                assert(value == first + 2);
            first = value = __VERIFIER_nondet_int();
            stage = 1;
            owner = 1;
        } else if (owner == 1 && run == 1) {
            value++;
            owner = 2;
        } else if (owner == 2 && run == 2) {
            value += run == 2 && first == 12345678 ? 2 : 1;
            owner = 0;
        } else if (owner == 3) {
            owner = 0;
        }
    }
}
