// args: check --engine simulate --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
#include <assert.h>

int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 1000; i++)
        x = x * 1664525u + 1013904223u;
    assert(x != 0);
    return 0;
}
