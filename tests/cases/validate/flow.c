// args: validate --witness flow.yml
// expect: last confirmed: the 2 invariants hold and no check is violated
// A witness in flow style, with an alias: YAML that we do not write ourselves.
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
