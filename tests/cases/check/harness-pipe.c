// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `pipe`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <unistd.h>

int main(void)
{
    int ends[2] = { 0, 0 };
    if (pipe(ends) == 0)
        assert(ends[0] != 9);
    return 0;
}
