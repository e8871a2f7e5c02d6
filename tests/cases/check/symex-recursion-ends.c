// args: check --engine symex --timeout 1
// expect: exit 2
// expect: stdout no answer: no violation was found within the timeout of 1 s
// expect: last UNKNOWN
// A recursion that ends is not why the search does not.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
    int total = sum(60);
    while (__VERIFIER_nondet_int())
        if (total != 1830)
            reach_error();
    return 0;
}
