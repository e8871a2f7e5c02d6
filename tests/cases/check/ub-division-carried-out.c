// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: no run divides by zero at ub-division-carried-out.c:15
// expect: last TRUE
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int result, table[10];
static int same(int value) { return value; }

/* Values that are stored, handed on, returned or decided by are computed. */
static int divide(int limit, int divisor)
{
    unsigned whole = limit, part = divisor;
    switch (__VERIFIER_nondet_int()) {
    case 0: result = limit / divisor; break;
    case 1: limit /= divisor; break;
    case 2: same(limit % divisor + 1); break;
    case 3: if (limit % divisor == 0) result = 1; break;
    case 4: if (limit / divisor > 3) limit--; break;
    case 5: result += table[(limit / divisor) & 7]; break;
    case 6: result = whole / part; break;
    case 7: return 2 / divisor;
    case 9: result = limit % divisor ? limit : result; break;
    default: return divisor ? 0 : (limit - result) / divisor;
    }
    assert(divisor != 0);
    return result;
}

int main(void) { return divide(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); }
