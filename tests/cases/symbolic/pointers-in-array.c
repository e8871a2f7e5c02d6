// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// Pointers from the initial data of an object that is accessed at offsets that are not constant.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int a = 1, b = 2;
int *all[80] = {[0 ... 78] = &a, [79] = &b};
int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 80 && *all[i] == 2)
        reach_error();
    return 0;
}
