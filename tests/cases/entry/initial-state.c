// Globals have their initial values when the entry function is called ...
// args: check --entry step --engine bmc
// expect: last TRUE
#include <assert.h>
static int level;
void reset(void) { level = 11; }
void step(void) { assert(level == 0); }
int main(void) { reset(); step(); }
