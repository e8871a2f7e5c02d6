// ... or any, if the user says so; what nothing writes keeps its value.
// args: check --entry step --entry-state arbitrary --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout level at the start of the unit = 11
// expect: stdout `level != 11`
#include <assert.h>
static int level, limit = 20, table[4];
void reset(int i) { level = 11; table[i & 3] = 1; }
void step(void)
{
    assert(limit == 20);
    assert(level != 11);
}
int main(void) { reset(0); step(); }
