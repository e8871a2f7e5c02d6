// args: check --engine bmc
// expect: last TRUE
/* A definition of the program's own is what its calls mean. */
#include <assert.h>
int __VERIFIER_unknown(int x) { return x + 1; }
int __CPROVER_w_ok(void *p) { return p ? 3 : 4; }

int main(void)
{
    int x = 1;
    assert(__VERIFIER_unknown(x) == 2 && __CPROVER_w_ok(&x) == 3);
    return 0;
}
