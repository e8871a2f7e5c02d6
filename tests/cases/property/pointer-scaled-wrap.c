// args: run --checks pointer --arch 64
// expect: exit 1
// verdict: FALSE(valid-deref)
#include <stdlib.h>
int main(void) {
    int *p = malloc(4 * sizeof *p);
    volatile unsigned long long i = 1ULL << 62;
    p[i] = 1;
    return 0;
}
