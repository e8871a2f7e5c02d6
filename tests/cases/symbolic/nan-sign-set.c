// args: check --engine bmc
// expect: exit 2
// expect: stdout the sign or payload of a NaN
// expect: last UNKNOWN
// Which NaN an invalid operation gives is not specified: x86's is negative, which does not make it a violation.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = x / x;
    if (x == 0.0 && __builtin_signbit(y))
        reach_error();
    return 0;
}
