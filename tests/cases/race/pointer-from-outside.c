// A pointer from outside that equals an object's address: a model may take it for another number. Not a violation, and
// not an internal error.
// args: check --engine bmc --checks pointer
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout no answer: a violation
// expect: stdout depends on the addresses of objects
// expect: no-stdout internal error
#include <assert.h>

int *any_pointer(void);

int main(void)
{
    int value = 41;
    int *inside = &value;
    int *outside = any_pointer();
    if (outside == inside)
        assert(*outside == 41);
    return 0;
}
