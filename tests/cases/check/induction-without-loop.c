// args: check --engine kind
// expect: exit 0
// expect: no-stdout loop
// expect: stdout every run was followed to its end, and none violates a check
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x < 5 || x > 4);
    return 0;
}
