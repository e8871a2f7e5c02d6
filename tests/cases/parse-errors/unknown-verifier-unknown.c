// args: check
// expect: exit 3
// expect: stderr __VERIFIER_unknown
#include <assert.h>
int main(void)
{
    int x = 1;
    int y = (int)__VERIFIER_unknown(&x);
    assert(x == 1 || y);
    return 0;
}
