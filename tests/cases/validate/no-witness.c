// args: validate --witness no-such-file.yml
// expect: exit 3
// expect: stderr cannot read `no-such-file.yml`
// There is no witness.
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
