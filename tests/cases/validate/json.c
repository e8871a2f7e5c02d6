// args: validate --json --witness json.yml
// expect: exit 1
// expect: stdout "claims":"invariants"
// expect: stdout "outcome":"rejected"
// expect: stdout is not inductive
// One JSON document.
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
