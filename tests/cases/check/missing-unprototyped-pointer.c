// args: check --engine bmc
// expect: exit 2
// expect: stdout a call through a pointer of `parse`, which has no body and no prototype
// expect: last UNKNOWN
#include <assert.h>
int parse();
int (*parser)() = parse;

int main(void)
{
    int count = 0;
    parser(&count);
    assert(count == 0);
    return 0;
}
