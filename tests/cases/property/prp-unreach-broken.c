// args: run --property unreach.prp
// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: error-call
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }
int main(void) { int x = 3; __VERIFIER_assert(x == 4); return 0; }
