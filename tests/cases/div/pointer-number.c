// A global pointer that may be a number is no object of the unit's state: its contract must not suppose that it is null.
//
// args: check --engine div
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern int nondet(void);

int *port;

int is_special(void)
{
    return port == (int *)16;
}

int main(void)
{
    if (nondet())
        port = (int *)16;
    int special = is_special();
    if (nondet() == 77)
        assert(!special);
    return 0;
}
