// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
// expect: last UNKNOWN
#include <assert.h>
#include <string.h>

int main(void)
{
    static int a, b;
    int *p = &a, *q = &b;
    assert(memcmp(&p, &q, sizeof p) != 0);
    return 0;
}
