// args: check --arch 64 --certificate {tmp}/c.json
// then: validate --arch 64 --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// Joined paths count iterations that constants decide on each of them: the validator waits for the context of the claim.
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
#include <assert.h>
long g1 = 2;
unsigned short array2[2] = {1, 0};
unsigned short *p3 = array2;
int main(void)
{
    long long local6 = 2;
    while (1) {
        long long in7 = (__VERIFIER_nondet_uint() & 3);
        switch (((array2[local6 & 1] <= array2[g1 & 1])) & 3) {
            if (~((in7 || -1))) {
            }
            { int i8 = 3; while (i8-- > 0) {
            } }
        }
        (*p3)++;
        if (((local6 + 1) < (in7 >> (g1 & 15)))) {
            for (unsigned char i9 = (int)(in7 & 3); i9 > 0; i9--) {
            }
            array2[local6 & 1] = ((*p3 && in7) | local6);
        }
        switch (((1 & 32767)) & 3) {
            if (-((in7 >= in7))) {
            }
        }
        long long in11 = __VERIFIER_nondet_bool();
        { int i12 = (int)(in11 & 3); while (i12-- > 0) {
            *p3 *= (4 ? *p3 : in11);
            local6 &= (256 && local6);
        } }
        if (array2[(255) & 1]) break;
        int r = (int)(array2[*p3 & 1] & 15);
        assert(r != 1);
    }
}