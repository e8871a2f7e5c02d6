// args: check --engine bmc
// expect: exit 3
// expect: stderr Plumb does not know `__VERIFIER_error_7`
void reach_error(void);
void __VERIFIER_error_7(void);

int main(void)
{
    __VERIFIER_error_7();
    reach_error();
    return 0;
}
