// args: check --engine bmc
// expect: last TRUE
#include <assert.h>
static int ready;
__attribute__((constructor)) static void set_up(void) { ready = 1; }
int main(void)
{
    assert(ready);
    return 0;
}
