// Library functions that write are no functions without a body, whatever a property file says of those.
// args: check --property ../check/unreach.prp
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <string.h>
extern void reach_error(void);
size_t strlcat(char *, const char *, size_t);
char *itoa(int, char *, int);
void *memset_explicit(void *, int, size_t);

int main(void)
{
    char text[8] = "a", number[8] = "a", secret[8] = "a";
    strlcat(text, "b", 8);
    itoa(7, number, 10);
    memset_explicit(secret, 0, 8);
    if (text[1] == 'b' && number[0] == '7' && secret[0] == 0)
        reach_error();
    return 0;
}
