// Nothing that the property speaks of is in the program.
// args: check --property unreach.prp
// expect: exit 0
// expect: stdout no function of the program contains an error location
// expect: last TRUE
void __VERIFIER_error_7(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int())
        __VERIFIER_error_7();
    return 0;
}
