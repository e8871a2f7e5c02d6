// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `__CPROVER_precondition(x > 0, "positive")` does not hold
int nondet_int(void);

static void f(int x) { __CPROVER_precondition(x > 0, "positive"); }

int main(void)
{
    f(nondet_int());
    return 0;
}
