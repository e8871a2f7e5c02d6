// An assertion is a property without any flag.
// expect: exit 1
// expect: stdout violated: assertion
// expect: stdout default-assert.c:6:
#include <assert.h>
int main(void) { assert(1 + 1 == 3); return 0; }
// verdict: FALSE(unreach-call)
