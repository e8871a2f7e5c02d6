// Nobody reads the argument, but the division in it is checked: the other thread may come between its two reads.
// args: check --engine explicit --checks div-by-zero
// expect: exit 1
// expect: last FALSE(div-by-zero)
#include <pthread.h>
static volatile int y = 1, z = 0;
extern void show(int v);
static void *other(void *a) { y = 2; z = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    show(10 / (y - z));
    pthread_join(t, 0);
    return 0;
}
