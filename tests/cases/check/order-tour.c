// args: check --engine symex --order tour:st --timeout 60
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* The error is behind the second branch, which is the shorter one; the first has paths without end. */
static int step(int x) { return x / 2; }

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x > 0) {
        y = step(x);
        y = step(y);
        while (__VERIFIER_nondet_int())
            x = step(x) + 1;
    } else {
        x = step(x);
    }
    assert(x != -12345);
    return y < 0;
}
