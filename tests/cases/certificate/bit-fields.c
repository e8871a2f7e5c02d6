// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// Parts of a unit of bit-fields have no name in C; the certificate names the bytes.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct meter { int up : 4; int down : 4; };

int main(void)
{
    struct meter m;
    m.up = 0;
    m.down = 0;
    while (__VERIFIER_nondet_bool()) {
        m.up++;
        m.down--;
    }
    assert(((m.up + m.down) & 15) == 0);
    return 0;
}
