// Where two parameters point to one object, the last write stays: what holds of two objects is no contract.
//
// args: check --engine div
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>

static void set(int *a, int *b)
{
    for (int i = 0; i < 3; i++)
        *a = 1;
    *b = 2;
}

int main(void)
{
    int x, y;
    set(&x, &y);
    assert(x == 1 && y == 2);
    set(&x, &x);
    assert(x == 1);
    return 0;
}
