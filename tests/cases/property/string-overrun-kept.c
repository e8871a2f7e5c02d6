// args: run --checks pointer
// expect: exit 0
// expect: last exited with status 0
#include <string.h>
int main(void)
{
    char b[5];
    strcpy(b, "four");
    return 0;
}
