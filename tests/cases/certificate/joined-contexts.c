// args: check --engine la --checks pointer,bounds --certificate {tmp}/c.json
// then: validate --checks pointer,bounds --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// A loop that some runs have been through before: what is claimed of its second entry depends on which, where they are joined.
#include <string.h>
extern void __VERIFIER_assert(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned is_empty = __VERIFIER_nondet_uchar() & 1;
    int sum = 0;
    char text[2] = "";
    if (!is_empty)
        strcat(text, "x");
    sum += text[strlen(text)] + strlen(text);
    if (!is_empty) {
        int inner = sum + 1;
        sum += inner;
    }
    sum += 2;
    __VERIFIER_assert(sum != 3);
    return 0;
}
