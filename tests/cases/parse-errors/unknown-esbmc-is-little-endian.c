// args: check
// expect: exit 3
// expect: stderr __ESBMC_is_little_endian
#include <assert.h>
int main(void)
{
    int x = 1;
    int y = (int)__ESBMC_is_little_endian();
    assert(x == 1 || y);
    return 0;
}
