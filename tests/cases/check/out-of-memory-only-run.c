// args: check --memory 16 --timeout 20
// expect: exit 2
// expect: stdout the search needs more than 16 MiB (raise --memory)
// expect: last UNKNOWN
#include <assert.h>
static char large[1u << 26];

int main(void)
{
    for (unsigned i = 0; i < sizeof large; i += 512)
        large[i] = 1;
    assert(large[512] == large[0]);
    return 0;
}
