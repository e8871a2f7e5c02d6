// args: check --engine bmc --unwind-loop 99=3
// expect: exit 3
// expect: stderr there is no loop on line 99
// The bound is looked at where nothing is left to search, too.
#include <assert.h>
int main(void)
{
    for (int i = 0; i < 3; i++)
        ;
    assert(1);
    return 0;
}
