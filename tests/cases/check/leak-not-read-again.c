// Joined states drop variables that are not read again.
// args: check --engine bmc --checks leak
// expect: exit 1
// expect: last FALSE(valid-memtrack)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void stop(void) { exit(1); }
int main(void)
{
    char *p = malloc(4);
    while (__VERIFIER_nondet_int())
        p = 0;
    stop();
    return p != 0;
}
