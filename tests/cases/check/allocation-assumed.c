// args: check --engine bmc
// expect: last TRUE
// expect: stdout assumed: there is enough memory for what is allocated: calloc
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = calloc(1, sizeof *p);
    assert(p && *p == 0);
    return 0;
}
