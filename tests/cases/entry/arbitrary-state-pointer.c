// What a global pointer may point to in an arbitrary state is not known: no proof.
// args: check --entry step --entry-state arbitrary --engine bmc
// expect: exit 2
// expect: stdout that Plumb does not model: a unit with a pointer to an unknown object
#include <assert.h>
static int one, *where;
void reset(void) { where = &one; one = 3; }
int step(void)
{
    if (!where)
        return 0;
    assert(*where == 3);
    return 1;
}
int main(void) { reset(); return step(); }
