// args: validate --witness foreign.yml
// expect: exit 1
// expect: last rejected: its hash of `foreign.c` matches none of the given files
// The witness is about another file.
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
