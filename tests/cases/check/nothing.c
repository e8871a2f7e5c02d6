// args: check
// expect: exit 3
// expect: stderr error: there is nothing to check: the program has no assertion, no call of `__VERIFIER_error`, no call of `reach_error`
// expect: stderr --checks bounds,pointer,double-free,leak,overflow,div-by-zero
extern int sensor(void);
int main(void)
{
    return sensor() == 3;
}
