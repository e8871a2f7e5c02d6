// args: check --error-label WORSE --error-label BAD --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml LTL(G ! label(BAD))
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    if (__VERIFIER_nondet_int() == 3)
        goto BAD;
    return 0;
    goto WORSE;
BAD:
    return 1;
WORSE:
    return 2;
}
