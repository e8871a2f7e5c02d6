// expect: exit 2
// expect: stdout not supported: threads of <threads.h>
typedef unsigned long thrd_t;
int thrd_create(thrd_t *thread, int (*start)(void *), void *argument);
static int work(void *p) { return p != 0; }
int main(void) { thrd_t t; thrd_create(&t, work, 0); return 0; }
