// args: infer --json -F twice --runs 50
// expect: stdout "runs":50
// expect: stdout {"facts":[{"confidence":1.0,"samples":50,"text":"2 * x == \\result"}
// expect: stdout "function":"twice","kind":"exit","place":null,"samples":50
extern unsigned char __VERIFIER_nondet_uchar(void);
int twice(int x)
{
    return 2 * x;
}
int main(void)
{
    return twice(__VERIFIER_nondet_uchar());
}
