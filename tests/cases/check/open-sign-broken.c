// args: check --timeout 20
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>

int main(void)
{
    assert(strcmp("c", "a") < 0);
    return 0;
}
