// A property file names its error function; the error functions of other properties are functions like any other.
// args: check --engine bmc --property unreach.prp
// expect: exit 0
// expect: stdout change nothing: __VERIFIER_error_7
// expect: last TRUE
void reach_error(void);
void __VERIFIER_error_7(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        __VERIFIER_error_7();
    if (x > 10 && x < 10)
        reach_error();
    return 0;
}
