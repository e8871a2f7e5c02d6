// args: check
// expect: exit 3
// expect: stderr CBMC's contracts are not supported: `__CPROVER_requires`
// expect: stderr define it away
#include <assert.h>

int half(int x) __CPROVER_requires(x > 0) __CPROVER_ensures(__CPROVER_return_value < x);
int half(int x) { return x / 2; }

int main(void)
{
    assert(half(3) == 1);
    return 0;
}
