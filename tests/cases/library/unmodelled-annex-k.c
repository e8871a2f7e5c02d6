// The place is that of the call, not one in the models.
// args: check --property ../check/unreach.prp
// expect: exit 2
// expect: stdout memcpy_s is not modelled at 
// expect: stdout unmodelled-annex-k.c:15:
// expect: no-stdout <library>
// expect: last UNKNOWN
#include <stddef.h>
extern void reach_error(void);
int memcpy_s(void *, size_t, const void *, size_t);

int main(void)
{
    char b[8] = "a";
    memcpy_s(b, 8, "xyz", 3);
    if (b[0] == 'x')
        reach_error();
    return 0;
}
