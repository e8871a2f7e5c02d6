// args: check --engine bmc -funsigned-char -fshort-enums
// expect: last TRUE
#include <assert.h>
#include <limits.h>
enum Small { S0, S1 = 200 };
int main(void)
{
    char c = (char)0xff;
    assert(c == 0xff && CHAR_MIN == 0);
    assert(sizeof(enum Small) == 1);
    return 0;
}
