// Objects that functions of the C library change beside what they return are not modelled.
// args: check --timeout 20
// expect: exit 2
// expect: stdout an object that functions of the C library change: signgam
#include <assert.h>
#include <math.h>
int main(void) {
    signgam = 1;
    volatile double d = -0.5;
    double r = lgamma(d);
    assert(signgam == 1);
    return r > 0;
}
