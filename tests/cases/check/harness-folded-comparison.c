// gcc makes 1 of `x + 1 > x`, before a sanitizer looks at it.
// args: check --checks overflow --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot keep gcc from folding the arithmetic at harness-folded-comparison.c:10
// expect: last FALSE(no-overflow)
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x + 1 > x;
    return y;
}
