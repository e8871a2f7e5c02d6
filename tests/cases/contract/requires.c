// args: validate --witness requires.yml
// expect: exit 1
// expect: last rejected: the program with the contracts: a call of `half` may violate the precondition of its contract
// What a contract requires is checked where the function is called.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int half(int x)
{
    if (x < 0)
        reach_error();
    return x / 2;
}

int main(void)
{
    return half(__VERIFIER_nondet_int());
}
