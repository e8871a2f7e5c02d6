// args: infer -F heater
// expect: stdout heater, exit
// expect: stdout     celsius >= 61 ==> \result == 0
// expect: stdout     celsius <= 60 ==> level == \result
// expect: no-stdout celsius >= 62
// The cases that the program's branches distinguish are conditions of facts.
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned heater(unsigned char celsius, unsigned char level)
{
    if (celsius > 60)
        return 0;
    if (level < 100)
        return level;
    return level;
}
int main(void)
{
    for (int i = 0; i < 4; i++)
        heater(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar());
    return 0;
}
