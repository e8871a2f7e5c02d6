// args: check --engine bmc
// expect: last TRUE
// Neighbours in one object, an object onto itself, nothing at all, and memmove.
#include <assert.h>
#include <string.h>

unsigned nondet_unsigned(void);

int main(void)
{
    char text[8] = "abcdefg";
    unsigned n = nondet_unsigned() % 4;
    memcpy(text + 4, text, n);
    memcpy(text, text, 8);
    memcpy(text + 1, text, 0);
    assert(text[0] == 'a');
    memmove(text + 1, text, 6);
    strncpy(text, text + 4, 3);
    assert(text[7] == 0);
    return 0;
}
