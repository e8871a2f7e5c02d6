// args: check --engine bmc
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout NaN of another sign
// Which NaN an invalid operation gives is not specified: x86's is negative, ARM's is not, and compilers take either for
// granted.
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
