// args: check --engine bmc
// expect: exit 2
// expect: reason divides by zero, where compilers may do without the division
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* gcc makes no division of any of these, so that a compiled program goes on, and fails. */
int main(void)
{
    int divisor = __VERIFIER_nondet_int(), limit = 7, result;
    unsigned whole = limit, part = divisor;
    switch (__VERIFIER_nondet_int()) {
    case 0: limit / divisor; break;
    case 1: result = 1 / divisor; break;
    case 2: result = 0 / divisor; break;
    case 3: result = divisor / divisor; break;
    case 4: result = (limit / divisor) * 0; break;
    case 5: result = whole % part < part; break;
    case 6: result = !(2 / part); break;
    case 7: if (limit % divisor) ; break;
    case 8: result = ~!(limit / divisor) ? 1 : 2; break;
    case 9: (void)(limit % divisor); break;
    case 10: result = limit / divisor || 1; break;
    case 11: for (int i = 0; i < 1; i++, limit / divisor) ; break;
    default: return 0;
    }
    assert(divisor != 0);
    return result;
}
