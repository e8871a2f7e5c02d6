// Fig. 2 to 4 of Yeolekar and Unadkat: of two numbers with one sign the one that is farther from zero, else the larger one.
// The summary is partitioned on `a > 0`. The paper's x is any unsigned number; one above INT_MAX breaks the assertion in C.
//
// args: check --engine div
// expect: exit 0
// expect: stdout contract of compare at
// expect: stdout \old(a) >= 1 ==> \result >= \old(a)
// expect: last TRUE
#include <assert.h>
extern unsigned nondet(void);
extern void __VERIFIER_assume(int);

int sign(int v) { return v < 0; }
int absolute(int v) { return v < 0 ? -v : v; }

int compare(int a, int b)
{
    if (sign(a) == sign(b)) {
        if (absolute(a) > absolute(b))
            return a;
        else
            return b;
    }
    if (a > b)
        return a;
    else
        return b;
}

int main(void)
{
    unsigned x = nondet();
    __VERIFIER_assume(x <= 2147483647u);
    assert(compare(x, -x) == x);
    return 0;
}
