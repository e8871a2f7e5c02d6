// args: check --checks overflow --engine bmc
// expect: exit 1
// expect: stdout a quotient overflows a signed integer of 64 bits
// expect: last FALSE(no-overflow)
extern long long __VERIFIER_nondet_longlong(void);

int main(void)
{
    long long a = __VERIFIER_nondet_longlong(), b = __VERIFIER_nondet_longlong();
    return b != 0 && a / b == 3;
}
