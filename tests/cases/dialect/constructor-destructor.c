// args: check --engine simulate
// expect: exit 1
// expect: last FALSE(unreach-call)
// A function may run both before main and at exit.
#include <assert.h>
static int calls;

__attribute__((constructor, destructor)) static void count(void)
{
    calls++;
    assert(calls < 2);
}

int main(void)
{
    return calls - 1;
}
