// A missing function may leave anything in a `_Bool` that it is handed; that it leaves 0 or 1 is assumed.
// args: check
// expect: exit 0
// expect: stdout a _Bool that is read from memory is 0 or 1: flag
// expect: last TRUE
#include <assert.h>
extern int fill(_Bool *flag);

int main(void)
{
    _Bool flag;
    int count = 0;
    fill(&flag);
    count += flag;
    assert(count < 2);
    return 0;
}
