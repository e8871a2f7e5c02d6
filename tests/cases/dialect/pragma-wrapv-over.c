// Behind pop_options overflow is undefined again.
// args: check --engine bmc --checks overflow
// expect: exit 1
// expect: last FALSE(no-overflow)
extern int __VERIFIER_nondet_int(void);
#pragma GCC push_options
#pragma GCC optimize("wrapv")
int square(int x) { return x * x; }
#pragma GCC pop_options
int next(int x) { return x + 1; }
int main(void)
{
    int x = __VERIFIER_nondet_int();
    return square(x) == next(x);
}
