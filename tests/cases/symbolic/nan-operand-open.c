// args: check --engine symexia
// expect: exit 2
// expect: stdout the sign or payload of a NaN
// expect: last UNKNOWN
// Of two NaNs a sum is either, as the compiler orders them: the pattern of the first one is not known to stay.
extern void reach_error(void);

int main(void)
{
    union { float number; int bits; } first = { .bits = 0x7fc00001 };
    union { double number; long long bits; } sum;
    double zero = 0;
    sum.number = (double)first.number + zero / zero;
    if (sum.bits < 0)
        reach_error();
    return 0;
}
