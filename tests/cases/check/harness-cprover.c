// A compiled program has CBMC's primitives from the harness, as far as it can.
// args: check --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot set what `__CPROVER_havoc_object` leaves
// expect: stdout a compiled program cannot answer `__CPROVER_r_ok`
// expect: file h.c __CPROVER_havoc_object()
// expect: file h.c __CPROVER_r_ok()
// expect: last FALSE(unreach-call)
#include <assert.h>

int main(void)
{
    int j = 5;
    __CPROVER_havoc_object(&j);
    assert(j > 3 && __CPROVER_r_ok(&j, sizeof j));
    return 0;
}
