// args: validate --witness no-witness.c
// expect: exit 1
// expect: stdout rejected: the witness is malformed: line
// Any file may be given for a witness.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int())
        x = x == 4 ? 0 : x + 1;
    if (x > 4)
        reach_error();
    return 0;
}
