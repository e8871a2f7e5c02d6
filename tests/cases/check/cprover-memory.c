// args: check --engine bmc
// expect: last TRUE
// Primitives of CBMC that ask about memory.
#include <stddef.h>
struct pair {
    int a, b;
};
static const int constant = 3;
static struct pair pairs[4];

int main(void)
{
    char buffer[4];
    int *freed = __CPROVER_allocate(sizeof(int), 1), *null = 0;
    struct pair *p = &pairs[1];
    __CPROVER_size_t size = __CPROVER_OBJECT_SIZE(p);
    __CPROVER_bool same = __CPROVER_same_object(p, &pairs[3].b);
    __CPROVER_assert(__CPROVER_w_ok(buffer, sizeof buffer), "all of it");
    __CPROVER_assert(!__CPROVER_w_ok(buffer, sizeof buffer + 1), "no more");
    __CPROVER_assert(__CPROVER_r_ok(buffer + 3, 1) && !__CPROVER_r_ok(buffer + 3, 2), "from inside");
    __CPROVER_assert(__CPROVER_r_ok(&constant) && !__CPROVER_w_ok(&constant) && !__CPROVER_rw_ok(&constant), "constants");
    __CPROVER_assert(!__CPROVER_r_ok(null, 1), "null");
    __CPROVER_assert(size == sizeof pairs && __CPROVER_POINTER_OFFSET(&p->b) == sizeof(struct pair) + 4, "places");
    __CPROVER_assert(same && !__CPROVER_same_object(p, buffer) && __CPROVER_same_object(null, null), "objects");
    __CPROVER_assert(*freed == 0 && __CPROVER_OBJECT_SIZE(freed) == 4, "new");
    return 0;
}
