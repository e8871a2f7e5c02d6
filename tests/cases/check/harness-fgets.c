// How much the real function writes is decided by what it reads: the user is told.
// args: check --checks pointer --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the compiled program calls the real `fgets`
// expect: last FALSE(valid-deref)
#include <stdio.h>
int main(void)
{
    char line[4];
    fgets(line, 8, stdin);
    return 0;
}
