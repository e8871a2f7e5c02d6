// args: run --checks pointer
// expect: exit 0
// gcc: yes
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int off(void *p, unsigned alignment) { return (int)((uintptr_t)p % alignment); }
int main(void)
{
    void *p = malloc(1), *q = aligned_alloc(4096, 8192), *r;
    int status = posix_memalign(&r, 64, 10);
    printf("%d %d %d\n", status, off(q, 4096), off(r, 64));
    free(p);
    free(q);
    free(r);
    q = memalign(256, 1);
    printf("%d %d\n", off(q, 256), posix_memalign(&r, 3, 1));
    free(q);
    return 0;
}
