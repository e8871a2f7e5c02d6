// args: infer -F clamp
// expect: stdout clamp, exit (600 samples):
// expect: stdout     \result <= 100.0
// expect: stdout     \result >= 0.0
// expect: no-stdout !isnan(x)
// Of a float that was a NaN no bounds are told; of one that never was they say that it is none.
extern double __VERIFIER_nondet_double(void);
double clamp(double x)
{
    if (!(x >= 0))
        return 0;
    return x > 100 ? 100 : x;
}
int main(void)
{
    clamp(__VERIFIER_nondet_double());
    double zero = __VERIFIER_nondet_double() * 0;
    clamp(zero / zero);
    return 0;
}
