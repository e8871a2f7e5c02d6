// args: check --engine la
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout no answer: no bound was found for the recursion of `depth`, and recursion is not abstracted
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int depth(int n)
{
    return __VERIFIER_nondet_int() ? depth(n + 1) : n;
}

int main(void)
{
    if (depth(0) < 0)
        reach_error();
    return 0;
}
