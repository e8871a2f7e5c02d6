// The attribute says of the object what the function leaves alone, not of what the object points to, nor of other arguments.
// args: check --missing havoc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
void show(int **, int *) __attribute__((access(read_only, 1)));
int behind, other;
int main(void)
{
    int *pointer = &behind;
    show(&pointer, &other);
    assert(pointer == &behind);
    assert(behind == 0 || other == 0);
    return 0;
}
