// args: check --timeout 2
// expect: exit 2
// expect: stdout a _Bool is read that is neither 0 nor 1
// expect: last UNKNOWN
#include <assert.h>
#include <stdlib.h>

/* gcc knows that a _Bool is below 2. */
int main(void)
{
    _Bool *p = malloc(1);
    assert(*p < 2);
    return 0;
}
