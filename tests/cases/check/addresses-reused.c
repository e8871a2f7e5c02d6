// args: check --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
// expect: last UNKNOWN
#include <assert.h>
#include <stdlib.h>

/* An address may be used again once its object is gone. */
int main(void)
{
    char *p = calloc(1, 8), *q;
    free(p);
    q = calloc(1, 8);
    assert(p != q);
    free(q);
    return 0;
}
