// args: check --engine bmc
// expect: last TRUE
#include <assert.h>
void change(int *place);
_Bool choose(void);

int main(void)
{
    int a = 1, b = 2;
    _Bool first = choose();
    change(first ? &a : &b);
    assert(first ? b == 2 : a == 1);
    change(0);
    change((int *)"text");
    return 0;
}
