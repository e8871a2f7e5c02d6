// args: check --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
// expect: last UNKNOWN
#include <assert.h>

/* The index leads out of the one array; where to depends on what lies there. */
static int a[4], b[4];
static volatile int far = 8;

int main(void)
{
    int *p = a;
    p[far] = 1;
    assert(b[0] == 0 || b[0] == 1);
    return 0;
}
