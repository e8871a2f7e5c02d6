// Caller and callee disagree about the machine's types: what happens is anyone's guess.
// args: check --engine bmc
// files: views-disagree.part
// expect: exit 2
// expect: stdout disagree about the function's type
#include <assert.h>
int half(int);
int main(void)
{
    assert(half(4) == 2);
    return 0;
}
