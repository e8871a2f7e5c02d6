// A variable that was set already is kept if the program does not want to overwrite it.
// args: check --engine bmc
// expect: exit 1
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    if (setenv("MODE", "slow", 0) == 0)
        assert(strcmp(getenv("MODE"), "slow") == 0);
    return 0;
}
