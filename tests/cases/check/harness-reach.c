// No compiler watches an expression: the harness says so.
// args: check --reach level==5 --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot see where the expression of `--reach` is true
// expect: last FALSE(unreach-call)
extern int __VERIFIER_nondet_int(void);
int level;
int main(void)
{
    level = __VERIFIER_nondet_int();
    level = 0;
    return 0;
}
