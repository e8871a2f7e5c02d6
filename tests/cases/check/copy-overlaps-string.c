// args: check --engine bmc
// expect: exit 2
// expect: stdout a copy between overlapping regions by other means than memmove
#include <assert.h>
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    strcpy(text, text + 1);
    assert(text[0] == 'b');
    return 0;
}
