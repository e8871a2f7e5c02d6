// args: run --seed 3
// expect: last exited with status 0
#include <stdlib.h>
int main(void)
{
    unsigned char *p = malloc(64);
    int different = 0;
    for (int i = 0; i < 20; i++) { unsigned char *q = malloc(64); for (int k = 0; k < 64; k++) different |= q[k] != 0; free(q); }
    free(p);
    return !different;
}
