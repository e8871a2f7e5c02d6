// args: check --engine kind
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout k-induction up to k =
// That a number is a NaN stays so from iteration to iteration; which one it is is open in each.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    union { double number; long long bits; } last;
    double zero = 0, number = zero / zero;
    while (__VERIFIER_nondet_uchar())
        number = number + 1;
    last.number = number;
    if (last.bits >= 0)
        reach_error();
    return 0;
}
