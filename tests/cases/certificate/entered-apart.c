// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "exits":
// How far a copy goes depends on how often another loop has iterated, which is followed iteration by iteration.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static const char *const units[] = {"m", "kg", "mol"};

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        unsigned unit = __VERIFIER_nondet_uint();
        if (unit > 2)
            continue;
        size_t length = strlen(units[unit]);
        assert(length == unit + 1);
        char shown[4];
        strcpy(shown, units[unit]);
        assert(shown[length] == '\0');
    }
    return 0;
}
