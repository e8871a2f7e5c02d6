// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdio.h>

int main(void)
{
    static char text[8];
    FILE *file = fopen("x", "w");
    if (!file)
        return 0;
    fputs("x", file);
    assert(fflush(file) == 0);
    return text[0];
}
