// args: check --property unreach.prp --checks div-by-zero --witness {tmp}/w.yml
// expect: exit 1
// expect: file w.yml LTL(G ! div-by-zero)
// expect: stdout no validator knows the property
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    return 5 / __VERIFIER_nondet_int();
}
