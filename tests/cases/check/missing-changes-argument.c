// args: check --engine bmc
// expect: exit 1
// expect: stdout may change what their arguments reach
// expect: last FALSE(unreach-call)
#include <assert.h>
void configure(int *setting);

int main(void)
{
    int setting = 4, other = 5;
    configure(&setting);
    assert(other == 5);
    assert(setting == 4);
    return 0;
}
