// args: check --engine bmc
// expect: exit 2
// expect: stdout depends on the sign or payload of a NaN
// expect: last UNKNOWN
// Another processor's NaN may be positive, so this cannot be proved; this machine's is not, so it cannot be shown.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = x / x;
    if (x == 0.0 && !__builtin_signbit(y))
        reach_error();
    return 0;
}
