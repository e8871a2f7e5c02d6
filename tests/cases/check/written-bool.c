// args: check --engine bmc
// expect: exit 2
// expect: stdout a _Bool is read that is neither 0 nor 1
// expect: last UNKNOWN
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What the program writes itself is not assumed away. */
int main(void)
{
    _Bool *p = malloc(1);
    memset(p, 0xff, 1);
    assert(!*p);
    return 0;
}
