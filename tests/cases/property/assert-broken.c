// args: run --checks assertion
// expect: exit 1
// expect: stdout violated: assertion
#include <assert.h>
int main(void)
{
    int x = 4;
    assert(x < 4);
    return 0;
}
