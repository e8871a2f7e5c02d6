// gcc: yes
// A loop whose head reads a global that the body reads too: what follows is reached with and without an iteration.
#include <stdio.h>
#include <stdlib.h>
static int **table;
static void reset(void)
{
    int i = 0;
    for (; i < 31 && !(table == 0); i = i + 1)
        for (; !(table[i] == 0); table[i] = 0) free(table[i]);
    printf("%d\n", table != 0);
    free(table);
    table = 0;
}
int main(void)
{
    reset();
    table = calloc(31, sizeof *table);
    table[3] = malloc(4);
    reset();
    reset();
    return 0;
}
