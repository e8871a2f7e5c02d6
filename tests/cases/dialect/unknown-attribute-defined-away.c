// args: check --engine bmc -Dat_address=unused
// expect: last TRUE
#include <assert.h>
int port __attribute__((at_address));
int main(void)
{
    assert(port == 0);
    return 0;
}
