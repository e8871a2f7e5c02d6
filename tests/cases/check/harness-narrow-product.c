// args: check --checks overflow --engine bmc --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(no-overflow)
// expect: stdout gcc computes arithmetic in the narrower type
signed char step = 3;
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    step *= __VERIFIER_nondet_int();
    return step;
}
