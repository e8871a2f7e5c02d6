// Between the pragmas overflow is defined.
// args: check --engine bmc --checks overflow
// expect: last TRUE
extern int __VERIFIER_nondet_int(void);
#pragma GCC push_options
#pragma GCC optimize("wrapv")
int square(int x) { return x * x; }
#pragma GCC pop_options
__attribute__((optimize("-fwrapv"))) int next(int x) { return x + 1; }
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int low = x & 0xff;
    return square(x) + 0 == next(x) ? low + 1 : low;
}
