// McCarthy's 91 function, by induction over the depth of its calls.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int nondet(void);

int f91(int x)
{
    if (x > 100)
        return x - 10;
    else
        return f91(f91(x + 11));
}

int main(void)
{
    int x = nondet();
    int result = f91(x);
    assert(result == 91 || (x > 101 && result == x - 10));
    return 0;
}
