// args: run
// expect: exit 2
// expect: stdout not supported: %m in printf

#include <stdio.h>

int main(void)
{
    printf("%m\n");
    return 0;
}
