// args: check --engine bmc --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml content: []
// expect: then confirmed: no run iterates a loop more than
// A loop that ends after a bounded number of iterations needs no invariant.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    if (n < 0 || n > 12)
        return 0;
    for (int i = 0; i < n; i++)
        sum += i;
    if (sum > 66)
        reach_error();
    return 0;
}
