// gcc computes abs itself, unless it is told not to: who defines it should tell it.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout assumed: functions of the program with names of the C library are called as they are, as with -fno-builtin: abs
// expect: stdout -fno-builtin
// expect: last FALSE(unreach-call)
#include <assert.h>
int abs(int x) { return x < 0 ? x : -x; }
int main(void) {
    int k = -3;
    assert(abs(k) == 3);
    return 0;
}
