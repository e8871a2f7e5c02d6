// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `count == 0` does not hold
#include <assert.h>
int parse(int *count);
int (*parser)(int *) = parse;

int main(void)
{
    int count = 0;
    parser(&count);
    assert(count == 0);
    return 0;
}
