// A pointer to an object of a call that is over: nothing stands in for it, and no contract hides the access.
//
// args: check --engine div
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at
#include <assert.h>

int *keep;

static void make(void)
{
    int x = 3;
    keep = &x;
}

static void put(int *p)
{
    *p = 5;
}

int main(void)
{
    int a = 0;
    make();
    put(keep);
    put(&a);
    assert(a == 5);
    return 0;
}
