// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: a _Bool that is read from memory is 0 or 1: *p
// expect: last TRUE
#include <assert.h>
#include <stdlib.h>

/* gcc knows that a _Bool is below 2. */
int main(void)
{
    _Bool *p = malloc(1);
    assert(*p < 2);
    return 0;
}
