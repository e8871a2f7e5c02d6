// The check can be reached from every function: there is nothing to replace.
//
// args: check --engine div
// expect: exit 2
// expect: stdout no function can be replaced by a contract
#include <assert.h>
extern int nondet(void);

int down(int n)
{
    assert(n > -3);
    return n <= 0 ? 0 : down(n - 2);
}

int main(void)
{
    return down(nondet() & 7);
}
