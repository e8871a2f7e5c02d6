// args: check --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml LTL(G ! call(__VERIFIER_error()))
extern void __VERIFIER_error(void);
int main(void)
{
    __VERIFIER_error();
    return 0;
}
