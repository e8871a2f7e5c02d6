// args: validate --witness foreign.yml
// expect: last confirmed: the invariant holds and no check is violated
// A witness in another tool's way of writing: no quotes, no column, no depth of induction.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int())
        x = x == 4 ? 0 : x + 1;
    if (x > 4)
        reach_error();
    return 0;
}
