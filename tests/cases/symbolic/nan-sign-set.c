// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// Which NaN an invalid operation gives is not specified: x86's is negative.
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
