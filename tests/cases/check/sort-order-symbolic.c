// args: check --engine bmc --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses or the C library behaves differently
// expect: last UNKNOWN
#include <assert.h>
#include <stdlib.h>

struct pair { int key, value; };

static int order(const void *a, const void *b)
{
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

/* C does not say which of two equal elements comes first. */
int main(void)
{
    struct pair pairs[3] = { { 1, 1 }, { 1, 2 }, { 0, 3 } };
    qsort(pairs, 3, sizeof pairs[0], order);
    assert(pairs[1].value == 1);
    return 0;
}
