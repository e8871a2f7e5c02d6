// What a pointer to void points to is not modelled: no proof, but violations with null.
// args: check --entry f --engine bmc
// expect: exit 2
// expect: stdout that Plumb does not model: an entry function whose argument `context` points to what is of no known type
#include <assert.h>
int f(void *context, int n)
{
    assert(n < 5 || n > 4);
    return context != 0;
}
