// args: run --checks pointer,bounds
// expect: exit 1
// expect: stdout violated
#include <stdio.h>
int main(void)
{
    char a[3] = { 97, 98, 99 };
    puts(a);
    return 0;
}
