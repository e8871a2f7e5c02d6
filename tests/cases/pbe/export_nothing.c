// The original is decided at once, and no function is worth a summary: the folder stays empty, and that is told.
//
// args: check --engine pbe --no-cache --summaries {tmp}/made
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stderr no summary was made
#include <assert.h>
extern int in(void);
int main(void) { assert(in() != 3); return 0; }
