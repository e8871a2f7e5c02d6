// args: check --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: then confirmed: the run of
// A violation that needs exact values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    if (a == 17) {
        if (b == a + 4) {
            if (c * 3 == 51 && c < 100 && c > 0)
                reach_error();
        }
    }
    return 0;
}
