// The bytes behind a string that is shorter than its array are zero and not arbitrary.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    char word[6] = "bcd";
    char *at = word;
    assert(at[__VERIFIER_nondet_uchar() & 1 ? 5 : 4] == 0);
    return 0;
}
