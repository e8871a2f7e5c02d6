// args: run --checks pointer,bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated
#include <string.h>
int main(void)
{
    char a[3] = { 97, 98, 99 };
    return memcmp(a, "xbcdefgh", 8);
    return 0;
}
