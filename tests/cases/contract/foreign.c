// args: validate --witness foreign.yml
// expect: last confirmed: the contract of `f91` holds, and with that: no run iterates a loop more than 3 times, not counting iterations decided by constants, and none violates a check; assumed: no run overflows the stack
// A contract of another tool for a recursive function: it is shown for calls of any depth.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f91(int x)
{
    if (x > 100)
        return x - 10;
    return f91(f91(x + 11));
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 1000)
        return 0;
    if (f91(x) != (x > 100 ? x - 10 : 91))
        reach_error();
    return 0;
}
