// After equal seeds the same numbers come again, which is not modelled.
// args: check --timeout 10
// expect: exit 2
// expect: stdout a second call of srand or srandom
#include <assert.h>
#include <stdlib.h>
int main(void) {
    srand(3);
    int first = rand();
    srand(3);
    assert(rand() == first);
    return 0;
}
