// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
static int open_files = 1;
__attribute__((destructor)) static void tear_down(void) { assert(open_files == 0); }
int main(void) { return 0; }
