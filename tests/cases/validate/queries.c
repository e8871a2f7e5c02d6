// What a proof comes down to is written for other solvers.
// args: check --engine kind --certificate {tmp}/c.json
// then: validate --queries {tmp}/queries --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file queries/query-1.smt2 (set-info :status unsat)
// expect: file queries/query-1.smt2 (check-sat
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned even = 0;
    while (__VERIFIER_nondet_uint())
        even += 2;
    assert(even % 2 == 0);
    return 0;
}
