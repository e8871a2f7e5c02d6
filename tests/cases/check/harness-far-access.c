// The address lies in another object of the compiled program, where no sanitizer sees it.
// args: check --checks pointer --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot keep the access at harness-far-access.c:13 out of other objects
// expect: last FALSE(valid-deref)
extern int __VERIFIER_nondet_int(void);
char small[4], large[4096];
int main(void)
{
    int i = __VERIFIER_nondet_int();
    char *p = small;
    if (i >= 100 && i < 3000)
        p[i] = 1;
    return large[0];
}
