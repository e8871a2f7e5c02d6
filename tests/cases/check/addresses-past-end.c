// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
// expect: last UNKNOWN
#include <assert.h>

/* One past the end of an array may be the start of the next object. */
int main(void)
{
    int a[2] = { 0 }, b[2] = { 0 };
    assert(a + 2 != b);
    return a[0] + b[0];
}
