// args: check --engine kind --contracts {tmp}/c.h
// expect: stdout could not write the contracts
// expect: stdout the proof uses no contracts
// expect: last TRUE
// A proof without contracts has none to write.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = 0;
    while (__VERIFIER_nondet_int())
        x = x == 4 ? 0 : x + 1;
    if (x > 4)
        reach_error();
    return 0;
}
