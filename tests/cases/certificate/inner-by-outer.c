// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// What holds in the inner loop depends on the mode that the outer loop was in when its iteration began.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int mode = 0, level = 0;
    while (1) {
        int before = mode;
        level = before ? 10 : 0;
        mode = __VERIFIER_nondet_bool();
        while (__VERIFIER_nondet_bool()) {
            if (before && level < 20)
                level++;
            if (!before && level > -10)
                level--;
        }
        assert(before ? level >= 10 : level <= 0);
    }
}
