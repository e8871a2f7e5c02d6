// args: run --inputs inputs.txt
// expect: last exited with status 7
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void)
{
    int a = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    double d = __VERIFIER_nondet_double();
    _Bool b = __VERIFIER_nondet_bool();
    return (a == -5) + 2 * (c == 255) + 4 * (d == 2.5 && b);
}
