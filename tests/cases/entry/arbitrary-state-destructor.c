// What runs after the entry function meets an arbitrary state too.
// args: check --entry step --entry-state arbitrary --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
static int level;
void reset(void) { level = 11; }
__attribute__((destructor)) static void leave(void) { assert(level != 11); }
void step(void) { }
int main(void) { reset(); step(); }
