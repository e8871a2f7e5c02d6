// args: check --engine bam --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// Functions with loops that are called again: explored once for each reduced entry state, unfolded for the certificate.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int level;

static int limited(int x)
{
    return x < 0 ? 0 : x > 9 ? 9 : x;
}

static void fill(int most)
{
    while (level < most && __VERIFIER_nondet_int())
        level++;
}

static void twice(int most)
{
    fill(most);
    fill(most);
}

int main(void)
{
    int a = limited(__VERIFIER_nondet_int());
    int b = limited(__VERIFIER_nondet_int());
    level = 0;
    twice(a);
    twice(b);
    if (level > 9)
        reach_error();
    return 0;
}
