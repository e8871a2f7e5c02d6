// What parameters and variables of outermost blocks point to is not lost.
// args: check --engine bmc --checks leak
// expect: exit 0
// expect: last TRUE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void stop(char *mine) { if (__VERIFIER_nondet_int()) abort(); free(mine); }
int main(void)
{
    char *p = malloc(4), *q = malloc(5);
    if (__VERIFIER_nondet_int())
        *q = 1;
    stop(p);
    free(q);
    return 0;
}
