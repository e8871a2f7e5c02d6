// What models of the library call of their own kind is no call of the program.
// args: check --error-function strlen --engine bmc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    assert(copy == 0 || copy[0] == 't');
    return 0;
}
