// args: check --engine bmc --arch avr
// expect: exit 1
// expect: last FALSE(unreach-call)
// Objects that are gone leave room for others: all of them together need more addresses than there are.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int odd;
void f(void)
{
    char buffer[12000];
    buffer[0] = 1;
    if ((unsigned)buffer & 1)
        odd++;
}
int main(void)
{
    int i;
    for (i = 0; i < 6; i++)
        f();
    if (__VERIFIER_nondet_int() == 77)
        reach_error();
    return 0;
}
