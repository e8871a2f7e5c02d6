// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// The cleanup function sees the variable as it is when the scope ends.
#include <assert.h>

int nondet_int(void);

static int locks;

static void unlock(int *held) { locks -= *held; }

static void work(void)
{
    int held __attribute__((cleanup(unlock))) = 0;
    if (nondet_int() == 1234) {
        locks++;
        return;
    }
    locks++;
    held = 1;
}

int main(void)
{
    work();
    assert(locks == 0);
    return 0;
}
