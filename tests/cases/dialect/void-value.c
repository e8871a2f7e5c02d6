// The value of a call of a void function is not zero but arbitrary.
// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void __VERIFIER_assert(int);
void caller(void)
{
    int value;
    value = callee();
    __VERIFIER_assert(value == 0);
}
void callee(void) {}
int main(void)
{
    caller();
    return 0;
}
