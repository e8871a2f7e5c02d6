// Two recursive units whose contracts have powers of two, one of them about a global.
//
// args: check --engine div
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int nondet(void);

int counter;

int hanoi(int n)
{
    if (n == 1)
        return 1;
    return 2 * hanoi(n - 1) + 1;
}

void apply(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    counter++;
    apply(n - 1, from, via, to);
    apply(n - 1, via, to, from);
}

int main(void)
{
    int n = nondet();
    if (n < 1 || n > 31)
        return 0;
    counter = 0;
    apply(n, 1, 3, 2);
    assert(hanoi(n) == counter);
    return 0;
}
