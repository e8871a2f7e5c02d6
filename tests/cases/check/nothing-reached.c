// args: check
// expect: exit 3
// expect: stderr no assertion can be reached from `main`
// expect: stderr --entry
#include <assert.h>
void self_test(int x)
{
    assert(x > 0);
}
int main(void)
{
    return 0;
}
