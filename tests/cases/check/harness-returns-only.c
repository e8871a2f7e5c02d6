// What a function returns a harness can answer with, if it writes nowhere.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: no-stdout the compiled program calls
// expect: file h.c clock
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    int c = getchar();
    assert(clock() != 55 || time(0) != 7 || c != 65);
    return 0;
}
