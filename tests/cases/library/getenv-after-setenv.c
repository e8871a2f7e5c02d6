// What the program put into the environment is there.
// args: check --engine bmc
// expect: exit 0
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char text[] = "WHERE=here";
    if (setenv("MODE", "fast", 1) != 0)
        return 0;
    assert(strcmp(getenv("MODE"), "fast") == 0);
    if (setenv("MODE", "slow", 0) != 0)
        return 0;
    assert(strcmp(getenv("MODE"), "fast") == 0);
    assert(setenv("A=B", "slow", 1) != 0);
    unsetenv("MODE");
    assert(getenv("MODE") == 0);
    if (putenv(text) == 0) {
        text[6] = 't';
        assert(strcmp(getenv("WHERE"), "tere") == 0);
    }
    return 0;
}
