// args: check --engine bmc --checks overflow -fwrapv
// expect: last TRUE
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    return x + 1 < x;
}
