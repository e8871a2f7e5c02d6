// args: infer
// expect: stdout check, entry
// expect: stdout     limit == 10
// expect: stdout after, entry
// expect: stdout     value <= 9
// expect: stdout     nothing
// A run that breaks a property ends there; what it passed before was seen.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void after(int value)
{
    (void)value;
}
void check(int value, int limit)
{
    assert(value < limit);
    after(value);
}
int main(void)
{
    check(__VERIFIER_nondet_uchar() % 16, 10);
    return 0;
}
