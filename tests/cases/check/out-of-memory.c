// args: check --memory 16 --timeout 2
// expect: exit 2
// expect: stdout the search needs more than 16 MiB (raise --memory)
// expect: last UNKNOWN
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);

static char large[1u << 26];

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < sizeof large; i += 512)
        large[i] = (char)n;
    assert(large[512] == large[0]);
    return 0;
}
