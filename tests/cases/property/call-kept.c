// args: run --checks pointer
// expect: exit 0
// gcc: yes
/* Arguments that a function does not take, and a result that is not used, do no harm. */
#include <stdio.h>
static int none(void) { return 1; }
static int one(int x) { return x + 1; }
static void nothing(int x) { printf("%d\n", x); }
int main(void)
{
    int (*old)() = (int (*)())one;
    void (*drop)(int) = (void (*)(int))one;
    int (*table[2])(int) = {one, (int (*)(int))none};
    drop(3);
    drop = nothing;
    drop(4);
    printf("%d %d %d\n", old(5), table[0](6), table[1](7));
    return 0;
}
