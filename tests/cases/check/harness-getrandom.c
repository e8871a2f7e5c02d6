// A harness fills no memory: the compiled program calls the real function, and the user is told.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `getrandom`
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <sys/random.h>

int main(void)
{
    unsigned char bytes[4] = { 0 };
    getrandom(bytes, 4, 0);
    assert(bytes[0] != 9);
    return 0;
}
