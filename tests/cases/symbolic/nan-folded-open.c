// args: check --engine bmc
// expect: exit 2
// expect: stdout the sign or payload of a NaN
// expect: last UNKNOWN
// Which NaN zero by zero is, a processor chooses, or a compiler that computes it itself: at -O2 gcc's is positive here.
extern void reach_error(void);

int main(void)
{
    double zero = 0;
    if (!__builtin_signbit(zero / zero))
        reach_error();
    return 0;
}
