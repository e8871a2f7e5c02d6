// A unit and a loop that are looked at up to a bound only: that is no proof, and the answer says how far it goes.
//
// args: check --engine div --unwind 3
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout no run violates a check within the unwinding bound of 3, but some runs exceed it
#include <assert.h>
extern int nondet(void);

int count(int n)
{
    int i = 0;
    while (i < 1000) {
        i++;
        if (n == i)
            break;
    }
    return i;
}

int main(void)
{
    int last = 0;
    while (nondet()) {
        last = count(nondet());
        assert(last >= 0);
    }
    return last;
}
