// args: check --engine bmc
// expect: exit 2
// expect: stdout a copy between overlapping regions by other means than memmove
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 6);
    assert(text[2] == 'b');
    return 0;
}
