// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `count == 0` does not hold
#include <assert.h>
int parse();

int main(void)
{
    int count = 0, kept = 1;
    parse(kept, &count);
    assert(kept == 1);
    assert(count == 0);
    return 0;
}
