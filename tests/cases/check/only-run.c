// args: check --engine simulate
// expect: stdout holds: the program reads no input, and its only run of
// expect: last TRUE
#include <assert.h>
int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 1; i <= 100; i++)
        sum += i;
    assert(sum == 5050);
    return 0;
}
