// args: check --timeout 20 --volatile input
// expect: exit 1
// expect: no-stdout assumed: volatile
// expect: last FALSE(unreach-call)
#include <assert.h>
static volatile int flag;
int main(void)
{
    assert(flag == 0);
    return 0;
}
