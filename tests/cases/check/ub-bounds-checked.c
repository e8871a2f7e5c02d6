// args: check --checks bounds,pointer --timeout 20
// expect: exit 1
// expect: stdout violated: bounds
#include <assert.h>
int __VERIFIER_nondet_int(void);

int table[4];

/* What a check looks for is not supposed away. */
int main(void)
{
    int at = __VERIFIER_nondet_int();
    table[at] = 1;
    assert(at >= 0 && at < 4);
    return 0;
}
