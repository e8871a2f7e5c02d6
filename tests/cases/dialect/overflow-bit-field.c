// The precision that __builtin_add_overflow_p asks for is a bit-field's width, where the last argument is one.
// args: check --engine bmc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    struct { unsigned small : 3; int sign : 4; unsigned whole : 32; } fields = {0, 0, 0};
    int x = __VERIFIER_nondet_int();
    assert(__builtin_add_overflow_p(x, 0, fields.small) == (x < 0 || x > 7));
    assert(__builtin_sub_overflow_p(x, 0, fields.sign) == (x < -8 || x > 7));
    assert(__builtin_mul_overflow_p(x, 1, fields.whole) == (x < 0));
    return 0;
}
