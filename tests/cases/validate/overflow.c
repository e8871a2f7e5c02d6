// args: check --checks overflow --witness {tmp}/w.yml
// then: validate --checks overflow --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(no-overflow)
// expect: then confirmed: the run of
// The target of another property.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 2000000000) {
        if (b > 1000000000)
            return a + b > 0;
    }
    return 0;
}
