// One past the end of a row may be computed, and old-style open-ended arrays may be as long as their memory.
// args: run --checks bounds,pointer
// expect: exit 0
#include <stdlib.h>
struct message { int length; char text[1]; };
int main(void) {
    static int a[3][5];
    volatile int five = 5;
    int sum = 0;
    for (int *p = &a[1][0], *end = &a[1][five]; p != end; p++)
        sum += *p;
    struct message *m = malloc(sizeof *m + 10);
    m->text[five] = 'x';
    return sum;
}
