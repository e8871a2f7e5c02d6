// Nor does a violation of `free` rest on one.
// args: check --checks double-free --timeout 5
// expect: exit 2
// expect: reason was found only through a pointer that a function without a body returned or left in memory
// expect: reason a run may do something that is not modelled
// expect: last UNKNOWN
#include <stdlib.h>
extern void *take(void);

int main(void)
{
    free(take());
    return 0;
}
