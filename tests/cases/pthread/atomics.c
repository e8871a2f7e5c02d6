// Operations of atomic builtins are one step each, and so are sections and functions of the competition's names.
// args: check --engine explicit
// arch: 32 64
// expect: exit 0
// expect: last TRUE
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int first, second, third, fourth;
static pthread_t a, b;

static void __VERIFIER_atomic_add(void)
{
    int old = third;
    third = old + 1;
}

static void *add(void *unused)
{
    __atomic_fetch_add(&first, 1, __ATOMIC_SEQ_CST);
    __VERIFIER_atomic_begin();
    second++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add();
    int expected = fourth;
    while (!__sync_bool_compare_and_swap(&fourth, expected, expected + 1))
        expected = fourth;
    return 0;
}

int main(void)
{
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (first != 2 || second != 2 || third != 2 || fourth != 2)
        reach_error();
    return 0;
}
