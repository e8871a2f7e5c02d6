// args: run --checks pointer,bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated
#include <stdio.h>
int main(void)
{
    char a[3] = { 97, 98, 99 };
    fwrite(a, 1, 10, stderr);
    return 0;
}
