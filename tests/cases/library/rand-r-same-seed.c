// Equal seeds give equal numbers; which, each library decides.
// args: check --timeout 10
// expect: exit 2
// expect: stdout a violation was found only with a value of rand_r
#include <assert.h>
#include <stdlib.h>
extern unsigned input(void);
int main(void) {
    unsigned a = input(), b = a;
    assert(rand_r(&a) == rand_r(&b));
    return 0;
}
