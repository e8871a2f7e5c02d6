// args: validate --witness own-objects.yml
// expect: last confirmed: the contracts of `main`, `swap` hold, and with that: no run iterates a loop more than 3 times, not counting iterations decided by constants, and none violates a check
// A function that writes to its caller's locals is not replaced: its contract is checked at every call. So is that of main.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), old = x;
    swap(&x, &y);
    if (y != old)
        reach_error();
    return 0;
}
