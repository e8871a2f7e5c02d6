// More arguments than the table of a const function has room for.
// args: check --engine bmc
// expect: exit 2
// expect: stdout calls of the const function level with more than 8 different arguments
#include <assert.h>
int level(int) __attribute__((const));
int main(void)
{
    int first = level(0);
    for (int i = 0; i < 9; i++)
        level(i);
    assert(level(0) == first);
    return 0;
}
