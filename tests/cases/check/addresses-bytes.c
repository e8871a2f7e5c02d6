// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
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
