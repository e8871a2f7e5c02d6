// args: check --engine bmc --unwind-loop 12=4 --timeout 20
// expect: exit 3
// expect: stderr there is no loop on line 12
extern void __VERIFIER_error(void);
int main(void)
{
    for (int i = 0; i < 3; i++)
        if (i > 3)
            __VERIFIER_error();
    return 0;
}
