// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct counter { int now, most; };
static void count(struct counter *counter)
{
    if (counter->now < counter->most)
        counter->now++;
    else
        counter->now = 0;
}
static struct counter counters[2] = {{0, 9}, {0, 5}};
int main(void)
{
    for (;;) {
        count(&counters[__VERIFIER_nondet_int() & 1]);
        assert(counters[0].now <= 8 && counters[1].now <= 5);
    }
}
