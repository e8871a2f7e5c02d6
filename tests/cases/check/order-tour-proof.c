// args: check --engine symexia --order tour:lf --timeout 60
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* A proof needs all paths, in whatever order. */
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
    assert(x >= -1073741824);
    return y < 0;
}
