// args: check --engine la
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout creates objects or ends their lifetimes in its iterations
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *last = 0;
    while (__VERIFIER_nondet_int()) {
        last = malloc(sizeof *last);
        *last = 1;
    }
    if (last && *last != 1)
        reach_error();
    return 0;
}
