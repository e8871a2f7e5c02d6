// args: check --engine kind
// expect: exit 0
// expect: stdout assumed: no run leaves the bounds of an object at ub-bounds-loop.c:15
// expect: no-stdout a null pointer
// expect: last TRUE
#include <assert.h>
int __VERIFIER_nondet_int(void);

int table[4];

int main(void)
{
    while (1) {
        int at = __VERIFIER_nondet_int();
        table[at] = 1;
        assert(at >= 0 && at < 4);
    }
}
