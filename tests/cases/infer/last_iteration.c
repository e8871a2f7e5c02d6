// args: infer
// expect: stdout main, loop at
// expect: stdout     i >= 0
// expect: stdout     i <= 500
// expect: no-stdout i <= 499
// expect: no-stdout i <= 2
// expect: stdout     j <= 33
// Of a long loop not every iteration is sampled, but the last one of each run is.
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned sum = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 500; i++)
        for (int j = 0; j < 33; j++)
            sum += i ^ j;
    return sum & 1;
}
