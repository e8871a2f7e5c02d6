// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout may go another way where objects lie elsewhere
// expect: last UNKNOWN
#include <assert.h>

int main(void)
{
    static char c;
    char *pointer = &c;
    unsigned char *bytes = (unsigned char *)&pointer;
    assert(bytes[0] != 255);
    return 0;
}
