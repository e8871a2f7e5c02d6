// args: check
// expect: exit 3
// expect: stderr __builtin_ia32_rdtsc
#include <assert.h>
int main(void)
{
    int x = 1;
    int y = (int)__builtin_ia32_rdtsc();
    assert(x == 1 || y);
    return 0;
}
