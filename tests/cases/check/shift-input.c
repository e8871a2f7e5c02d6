// args: check --strict --timeout 1
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at shift-input.c:11
// expect: last UNKNOWN
#include <assert.h>
int __VERIFIER_nondet_int(void);

/* Processors disagree about counts of 32 and more: no violation may rest on one. */
int main(void)
{
    unsigned x = 1u << __VERIFIER_nondet_int();
    assert(x != 0);
    return 0;
}
