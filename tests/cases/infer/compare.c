// args: infer -F compare
// expect: stdout compare, exit (300 samples):
// expect: stdout     (a == \result || b == \result)
// expect: stdout     a >= 1 ==> a <= \result
// expect: stdout     b < a ==> \result <= a
// expect: no-stdout main
// expect: stdout likely facts from 300 runs; none of them is proved
// The example of Yeolekar and Unadkat: the smaller of two negative numbers, otherwise the larger.
extern int __VERIFIER_nondet_int(void);
int compare(int a, int b)
{
    int negative = a < 0 && b < 0;
    if (negative)
        return a < b ? a : b;
    return a > b ? a : b;
}
int main(void)
{
    int x = __VERIFIER_nondet_int();
    compare(x, __VERIFIER_nondet_int());
    return 0;
}
