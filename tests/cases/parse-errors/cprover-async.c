// args: check
// expect: exit 3
// expect: stderr labels '__CPROVER_ASYNC_*' start a thread
#include <assert.h>
int shared;
void handler(void) { shared = 1; shared = 0; }

int main(void)
{
    __CPROVER_ASYNC_1: handler();
    assert(shared == 0);
    return 0;
}
