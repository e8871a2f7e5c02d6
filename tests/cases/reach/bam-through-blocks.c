// args: check --engine bam --search tour:lf
// expect: exit 1
// expect: last FALSE(unreach-call)
// The counterexample goes through the loop of a function that is called in four contexts.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int level;

static void fill(int most)
{
    while (level < most && __VERIFIER_nondet_int())
        level++;
}

static void twice(int most)
{
    fill(most);
    fill(most + 1);
}

int main(void)
{
    level = 0;
    twice(1);
    twice(2);
    if (level == 3)
        reach_error();
    return 0;
}
