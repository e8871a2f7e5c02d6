// args: check --engine bmc --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed:
// A function that calls itself on its own result: of the calls to any depth few are made.
#include <assert.h>

int nondet_int(void);

static int mc_carthy(int n)
{
    if (n > 100)
        return n - 10;
    return mc_carthy(mc_carthy(n + 11));
}

int main(void)
{
    int n = nondet_int();
    if (n < 90 || n > 110)
        return 0;
    int r = mc_carthy(n);
    assert(n > 101 || r == 91);
    return 0;
}
