// args: run --checks assertion
// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: assertion
#include <assert.h>
int main(void)
{
    int x = 4;
    assert(x < 4);
    return 0;
}
