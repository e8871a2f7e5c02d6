// args: run --checks assertion
// expect: exit 0
// expect: last exited with status 0
#include <assert.h>
int main(void)
{
    int x = 4;
    assert(x < 5);
    return 0;
}
