// args: check --engine div --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml function: "gain"
// expect: file w.yml == 0x3p-1f
// expect: then confirmed: the contract of `gain` holds
// What a contract says of floats is written as comparisons of numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static float gain(int n)
{
    if (n <= 0)
        return 1.5f;
    return gain(n - 1);
}

int main(void)
{
    if (gain(__VERIFIER_nondet_int()) != 1.5f)
        reach_error();
    return 0;
}
