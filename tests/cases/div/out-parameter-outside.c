// A pointer that has left its object and is moved back into it: the contract's body does not know the object, and the function runs
// its own.
//
// args: check --engine div
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>

static void put(int *p)
{
    for (int i = 0; i < 2; i++)
        p[1] = 5;
}

int main(void)
{
    int a[2] = { 0, 0 };
    put(a - 1);
    assert(a[0] == 0);
    return 0;
}
