// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <string.h>
int main(void)
{
    char b[4];
    strcpy(b, "four");
    return 0;
}
