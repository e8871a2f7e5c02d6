// args: infer -F sum
// expect: stdout sum, entry
// expect: stdout     n >= 0
// expect: stdout     n <= \result
// expect: stdout     n <= 0 ==> \result == 0
// Each call of a recursive function has its own entry.
extern unsigned char __VERIFIER_nondet_uchar(void);
int sum(int n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}
int main(void)
{
    return sum(__VERIFIER_nondet_uchar() % 9);
}
